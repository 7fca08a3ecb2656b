import { Random } from "../../simulation/random.ts";

/** What a program writes, and how long it waits behind that, ms. */
export type Step = [text: string, wait: number];

/** Drawings of several rows, in the sequences that these programs write, at the pace that `pace` says, ms. */
export const programs: Readonly<
  Record<string, { pace: number; draw: (pace: (i: number) => number) => Step[] }>
> = {
  "rich.live": { pace: 250, draw: richLive },
  "docker pull": { pace: 60, draw: dockerPull },
  "BuildKit": { pace: 150, draw: buildKit },
  "compose": { pace: 260, draw: compose },
  "apt": { pace: 30, draw: apt },
  "listr2": { pace: 400, draw: (pace) => logUpdate(pace, listrFrames()) },
  "log-update": { pace: 300, draw: (pace) => logUpdate(pace, unicorns()) },
};

/** A live table: the cursor goes up row by row and erases each. */
function richLive(pace: (i: number) => number): Step[] {
  const steps: Step[] = [["Checking\n\x1b[?25l", 0]];
  let height = 0;
  for (let i = 0; i <= 16; i++) {
    const rows = ["┏━━━━━━┳━━━━━━┓", "┃ name ┃ done ┃", "┡━━━━━━╇━━━━━━┩"];
    for (const name of ["one", "two", "six"]) {
      rows.push(`│ ${name}  │ \x1b[32m${`${6 * i}`.padStart(4)}\x1b[0m │`);
    }
    rows.push("└──────┴──────┘");
    const back = height === 0 ? "" : `\r\x1b[2K${"\x1b[1A\x1b[2K".repeat(height - 1)}`;
    height = rows.length;
    steps.push([back + rows.join("\n"), pace(i)]);
  }
  return [...steps, ["\n\x1b[?25hall done\n", 0]];
}

/** Layers of an image: up to one row, draw it, and back down. */
function dockerPull(pace: (i: number) => number): Step[] {
  const layers = ["4abcf2066143", "5cf8e5d2a7d3", "9d1a8c7e60ff", "c2d7a4b0e3f1", "f00ba4ba4ba4"];
  const random = new Random(7);
  const done = layers.map(() => 0);
  const steps: Step[] = [["Using default tag: latest\r\nlatest: Pulling from library/demo\r\n", 30]];
  const draw = (layer: number, status: string): string => {
    const up = layers.length - layer;
    return `\x1b[${up}A\x1b[2K\r${layers[layer]}: ${status}\r\x1b[${up}B`;
  };
  for (const [i, layer] of layers.entries()) {
    const row = `\n\x1b[1A\x1b[2K\r${layer}: Pulling fs layer \r\x1b[1B`;
    steps.push([row, pace(i)]);
  }
  for (let i = 0; done.some((one) => one < 5); i++) {
    const layer = random.pick(layers.flatMap((_, n) => done[n]! < 5 ? [n] : []));
    const at = ++done[layer]!;
    steps.push([
      draw(layer, at < 5 ? `Downloading [${"=".repeat(at)}>]  ${at}MB/5MB` : "Pull complete "),
      pace(i),
    ]);
  }
  return [...steps, ["Digest: sha256:00\r\nStatus: Downloaded newer image for demo:latest\r\n", 0]];
}

/** A build whose steps come one after the other: all is drawn again for each frame. */
function buildKit(pace: (i: number) => number): Step[] {
  const steps: Step[] = [["building\n", 0]];
  let count = 0;
  for (let i = 1; i <= 22; i++) {
    const last = Math.ceil(i / 2);
    const rows = [`[+] Building ${(i / 10).toFixed(1)}s (${last}/11)`];
    for (let step = 1; step <= last; step++) {
      const isDone = step < last || i === 22;
      const text = ` => [${step}/11] RUN make part${step}  ${isDone ? "0.2" : "0.1"}s`;
      rows.push(isDone ? `\x1b[34m${text}\x1b[0m` : text);
    }
    steps.push([allAgain(count, rows), pace(i)]);
    count = rows.length;
  }
  return [...steps, ["Successfully built\n", 0]];
}

function compose(pace: (i: number) => number): Step[] {
  const steps: Step[] = [["starting\n", 0]];
  for (let i = 0; i <= 24; i++) {
    const rows = [`[+] Running ${Math.min(4, i >> 2)}/4`];
    for (const [n, name] of ["db", "cache", "app", "web"].entries()) {
      const isDone = i >= 4 * (n + 1);
      rows.push(
        ` ${isDone ? "✔" : "⠿"} Container ${name}  ${
          isDone ? "\x1b[32mStarted\x1b[0m" : "Starting"
        }  0.${i}s\x1b[K`,
      );
    }
    steps.push([allAgain(i === 0 ? 0 : 5, rows), pace(i)]);
  }
  return steps;
}

/** Lines that scroll above a bar in the last row of a terminal of 60. */
function apt(pace: (i: number) => number): Step[] {
  const area = (rows: number): string => `\n\x1b7\x1b[0;${rows}r\x1b8\x1b[1A`;
  const steps: Step[] = [["Reading package lists...\r\n", 300], [area(59), 0]];
  for (let i = 1; i <= 100; i++) {
    const bar = "#".repeat(i >> 1).padEnd(50, ".");
    steps.push([`Unpacking package${i} ...\r\n`, 0]);
    steps.push([`\x1b7\x1b[60;0f\x1b[42m\x1b[30mProgress: [${i}%]\x1b[49m\x1b[39m [${bar}] \x1b8`, pace(i)]);
  }
  return [...steps, [`${area(60)}\x1b[J`, 0], ["done\n", 0]];
}

/** Up over what was drawn, one row at a time, and all rows again with the cursor hidden, as BuildKit and compose do. */
function allAgain(count: number, rows: string[]): string {
  const back = count === 0 ? "\x1b[1A\x1b[1B" : "\x1b[1A".repeat(count);
  return `${back}\x1b[0G\x1b[?25l${rows.join("\n")}\n\x1b[?25h`;
}

/** What `log-update` and the renderers of the same kind do: erase line by line, upwards, then write. */
function logUpdate(pace: (i: number) => number, frames: string[]): Step[] {
  const steps: Step[] = [["\x1b[?25l", 0]];
  let count = 0;
  for (const [i, frame] of frames.entries()) {
    const back = count === 0 ? "" : `${"\x1b[2K\x1b[1A".repeat(count)}\x1b[2K\x1b[G`;
    count = frame.split("\n").length;
    steps.push([`${back}${frame}\n`, pace(i)]);
  }
  return [...steps, ["\x1b[?25hend\n", 0]];
}

function listrFrames(): string[] {
  return Array.from({ length: 14 }, (_, i) => {
    const marks = Array.from(
      { length: 4 },
      (_, n) => i >= 3 * (n + 1) ? "✔" : i >= 3 * n ? "⠋⠙⠹"[i % 3] : "◼",
    );
    const rows = marks.flatMap((mark, n) =>
      mark === "✔" || mark === "◼" ? [`${mark} Task ${n}`] : [`${mark} Task ${n}`, `  › output ${i}`]
    );
    return rows.join("\n");
  });
}

function unicorns(): string[] {
  return Array.from(
    { length: 20 },
    (_, i) => `      ♥♥\n ${"-\\|/"[i % 4]} unicorns ${"-\\|/"[i % 4]}\n      ♥♥\n`,
  );
}
