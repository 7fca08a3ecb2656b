/** What of a span may be changed before it is exported. */
type SpanMethods = Record<
  "setAttribute" | "setStatus" | "recordException",
  (...values: unknown[]) => unknown
>;

/** Where OpenTelemetry's own interface is found once the runtime has set it up. */
const marker = Symbol.for("opentelemetry.js.api.1");

/**
 * Sees to it that no span of this thread holds the query of an address: hook tokens and launch tickets stand there.
 * Deno sets the attributes before any code of the program sees a request, and offers nothing to change them later, so
 * it is the method that sets them which is replaced. For spans of outgoing requests (`isOutgoing`) nothing but scheme,
 * host and port is left, since paths of chat services are secrets, too, and messages of errors repeat them. Does
 * nothing where traces are not switched on.
 */
export function redactSpans({ isOutgoing }: { isOutgoing: boolean }): void {
  if (!Object.hasOwn(globalThis, marker)) return;
  // Never ended, so never exported.
  const probe = Deno.telemetry.tracerProvider.getTracer("svc").startSpan("probe");
  const methods: SpanMethods = Object.getPrototypeOf(probe);
  const { setAttribute, setStatus } = methods;
  methods.setAttribute = function (key, value) {
    const kept = keptValue(String(key), value, isOutgoing);
    return kept === undefined ? this : setAttribute.call(this, key, kept);
  };
  if (!isOutgoing) return;
  methods.setStatus = function (status) {
    const { code } = status as { code: number };
    return setStatus.call(this, { code });
  };
  methods.recordException = () => {};
}

/** The value that an attribute may have; undefined: it is left out. */
export function keptValue(key: string, value: unknown, isOutgoing: boolean): unknown {
  if (key === "url.query" || (isOutgoing && key === "url.path")) return undefined;
  if (key !== "url.full") return value;
  const url = URL.parse(String(value));
  if (url === null) return undefined;
  if (isOutgoing) return url.origin;
  Object.assign(url, { search: "", hash: "", username: "", password: "" });
  return url.href;
}
