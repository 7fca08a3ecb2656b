import { EventRing } from "../../core/event_ring.ts";
import type { EngineEvent } from "../../engine/bus.ts";
import type { Engine } from "../../engine/engine.ts";
import { type Mask, runJson } from "../run_json.ts";
import { encodeEvent, pingEvery, PushStream } from "./sse.ts";

/** How many events are kept for clients that come back (docs/http.md#events). */
const ringSize = 1024;
/** How many events a client may lag behind (docs/http.md#events). */
export const clientBuffer = 256;
/** How many ids are reserved at once: so many a restart may leave out. */
const idBlock = 65_536;

interface Sent {
  bytes: Uint8Array;
  /** Absent for what concerns all units. */
  unit: string | undefined;
}

/** What a client of the event stream asks for. */
export interface EventRequest {
  /** The id that it saw last; NaN for one that can't be ours. */
  lastId?: number;
  /** Leaves out events of other units. */
  unit?: string;
}

/** All clients of the event stream. Each event is encoded once. */
export class EventHub {
  readonly #engine: Engine;
  readonly #mask: Mask;
  readonly #ring: EventRing<Sent>;
  readonly #clients = new Map<PushStream, { unit: string | undefined }>();
  readonly #unsubscribe: () => void;
  #reservedTo: number;
  #cancelPing: (() => void) | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#mask = (unit, text) => engine.masked(unit, text);
    const firstId = engine.reserveEventIds(idBlock, { anew: true });
    this.#reservedTo = firstId + idBlock;
    this.#ring = new EventRing(ringSize, firstId);
    this.#unsubscribe = engine.bus.subscribe((event) => this.#publish(event));
  }

  /** Opens a stream. `onEnd` is called once, when it ends. */
  open({ lastId, unit }: EventRequest, onEnd: () => void): PushStream {
    const client: PushStream = new PushStream({
      initial: this.#beginning({ ...(lastId === undefined ? {} : { lastId }), ...(unit ? { unit } : {}) }),
      most: clientBuffer,
      onEnd: () => {
        this.#clients.delete(client);
        if (this.#clients.size === 0) this.#stopPings();
        onEnd();
      },
    });
    this.#clients.set(client, { unit: unit || undefined });
    this.#cancelPing ??= this.#pingLater();
    return client;
  }

  /**
   * Sends an event that is not replayed to clients that come back: samples and news of notifications. `unit` as
   * in a request.
   */
  broadcast(name: string, data: unknown, unit?: string): void {
    if (this.#clients.size > 0) this.#send({ bytes: encodeEvent(name, data), unit });
  }

  /** Takes nothing more in, and ends all streams when their clients have what waits for them. */
  close(): void {
    this.#unsubscribe();
    for (const client of [...this.#clients.keys()]) client.end();
  }

  /**
   * A ping, and what was missed; but `resync` before anything else where that can't be told. Who has no id to come back
   * with is given the one of what was told last, so that a break right after it loses nothing in silence.
   */
  #beginning({ lastId, unit }: EventRequest): Uint8Array[] {
    const here = encodeEvent("ping", {}, this.#ring.nextId - 1);
    if (lastId === undefined) return [here];
    const missed = this.#ring.after(lastId);
    if (missed === undefined) return [encodeEvent("resync", {}), here];
    return [ping, ...missed.filter((sent) => concerns(sent.unit, unit)).map(({ bytes }) => bytes)];
  }

  #publish(event: EngineEvent): void {
    const id = this.#ring.nextId;
    if (id >= this.#reservedTo) this.#reservedTo = this.#engine.reserveEventIds(idBlock) + idBlock;
    const unit = "run" in event ? event.run.unit : "unit" in event ? event.unit : undefined;
    const sent = { bytes: encodeEvent(event.type, payloadOf(event, this.#mask), id), unit };
    this.#ring.push(sent);
    this.#send(sent);
  }

  #send({ bytes, unit }: Sent): void {
    for (const [client, wants] of [...this.#clients]) if (concerns(unit, wants.unit)) client.send(bytes);
  }

  #pingLater(): () => void {
    return this.#engine.after(pingEvery, () => {
      this.#cancelPing = this.#pingLater();
      this.#send({ bytes: ping, unit: undefined });
    });
  }

  #stopPings(): void {
    this.#cancelPing?.();
    this.#cancelPing = undefined;
  }
}

const ping = encodeEvent("ping", {});

function concerns(unit: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || unit === undefined || unit === wanted;
}

function payloadOf(event: EngineEvent, mask: Mask): unknown {
  switch (event.type) {
    case "run.created":
    case "run.started":
    case "run.updated":
    case "run.completed":
    case "run.failed":
      return { run: runJson(event.run, mask), ...(event.error === undefined ? {} : { error: event.error }) };
    case "run.deleted":
      return { run_id: event.runId, task_name: event.unit };
    case "config.stale":
      return { stale: event.stale };
    case "tasks.changed":
      return {};
  }
}
