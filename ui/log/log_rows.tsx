/// <reference lib="dom" />
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { LogLineJson } from "../../src/http/schemas/run.ts";
import { plainText } from "./ansi.ts";
import { EmptyRow, LogRow } from "./log_row.tsx";
import type { OpenLog } from "./open_log.ts";

interface RowsProps {
  log: OpenLog;
  from: number;
  to: number;
  zone: string | undefined;
  onNumber: (n: number, isShift: boolean) => void;
  onRewind: (n: number) => void;
}

interface Drawn {
  line: LogLineJson;
  looks: string;
  row: VNode;
}

/** The rows of a window. One that looks as before is the same node, which costs nothing to draw again. */
export function LogRows({ log, from, to, zone, onNumber, onRewind }: RowsProps) {
  const before = useRef<ReadonlyMap<number, Drawn>>(new Map());
  const click = useRef(onNumber);
  click.current = onNumber;
  const drawn = new Map<number, Drawn>();
  const rows: VNode[] = [];
  const looks = `${log.looks} ${zone}`;
  for (let n = from; n < to; n++) {
    const line = log.source.line(n);
    if (line === undefined) {
      rows.push(<EmptyRow key={n} n={n} height={log.scroller.heightOf(n)} />);
      continue;
    }
    const known = before.current.get(n);
    const isSame = known !== undefined && known.line === line && known.looks === looks;
    const one = isSame ? known : { line, looks, row: rowOf(line, { log, zone, onNumber: click, onRewind }) };
    drawn.set(n, one);
    rows.push(one.row);
  }
  before.current = drawn;
  return <>{rows}</>;
}

function rowOf(line: LogLineJson, { log, zone, onNumber, onRewind }: {
  log: OpenLog;
  zone: string | undefined;
  onNumber: { current: (n: number, isShift: boolean) => void };
  onRewind: (n: number) => void;
}): VNode {
  const { n } = line;
  const { search, selected } = log;
  return (
    <LogRow
      key={n}
      line={line}
      marks={search.isHit(n) ? search.marks(n, plainText(line.text)) : []}
      isCurrentHit={search.current === n}
      isSelected={selected !== undefined && n >= selected.from && n <= selected.to}
      zone={zone}
      onNumber={(n, event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.button !== 0) return;
        event.preventDefault();
        onNumber.current(n, event.shiftKey);
      }}
      onRewind={onRewind}
    />
  );
}
