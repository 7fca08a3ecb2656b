import type { ProcessSink, SpoolPosition, SpoolPositions } from "../../../src/io/process/processes.ts";

type Stream = "stdout" | "stderr";

/** What came of a run by the hands of daemons that were killed; each chunk is written with its place in one write. */
export interface Journal {
  /** Bytes of a stream. */
  size(stream: Stream): number;
  write: ProcessSink["output"];
  read(): { stdout: string; stderr: string; positions: SpoolPositions };
}

/** Names the control groups of daemons that have a folder of their own. */
export function keyOf(folder: string): string {
  return folder.replaceAll(/\W/g, "").slice(-16).padStart(16, "0");
}

/** The journal of a run in a folder. */
export function journalOf(folder: string, runId: string): Journal {
  const path = `${folder}/${runId}.journal`;
  return {
    write(stream, chunk, position): number {
      const line = JSON.stringify({ stream, text: chunk.toBase64(), position });
      Deno.writeTextFileSync(path, `${line}\n`, { append: true });
      return chunk.length;
    },
    size(stream) {
      const lines = textOf(path).split("\n").filter((line) => line.startsWith(`{"stream":"${stream}"`));
      return lines.reduce((sum, line) => sum + Uint8Array.fromBase64(JSON.parse(line).text).length, 0);
    },
    read() {
      const parts: Record<Stream, Uint8Array[]> = { stdout: [], stderr: [] };
      const positions: SpoolPositions = {};
      const lines = textOf(path).split("\n").slice(0, -1);
      for (const line of lines) {
        const { stream, text, position } = JSON.parse(line) as {
          stream: Stream;
          text: string;
          position?: SpoolPosition;
        };
        parts[stream].push(Uint8Array.fromBase64(text));
        if (position !== undefined) positions[stream] = position;
      }
      return { stdout: joined(parts.stdout), stderr: joined(parts.stderr), positions };
    },
  };
}

function joined(parts: readonly Uint8Array<ArrayBufferLike>[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("");
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
