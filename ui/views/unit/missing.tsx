import { Fragment } from "preact";
import { nearest } from "../../../src/core/nearest.ts";
import { addressOf, Link } from "../../app/router.tsx";
import { Empty } from "../../parts/states.tsx";

/** Names that somebody may have meant who wrote another one: the nearest, then those that hold it or that it holds. */
export function nearNames(name: string, known: readonly string[], most = 5): string[] {
  const wanted = name.toLowerCase();
  const near = nearest(name, known);
  const alike = known.filter((one) => {
    const other = one.toLowerCase();
    return wanted.length > 1 && (other.includes(wanted) || wanted.includes(other));
  });
  return [...new Set([...near === undefined ? [] : [near], ...alike])].slice(0, most);
}

/** What stands where a unit was looked for that isn't there. */
export function Missing({ name, known }: { name: string; known: readonly string[] }) {
  const near = nearNames(name, known);
  return (
    <>
      <h1>{name}</h1>
      <Empty title={`There is no unit called "${name}"`}>
        {near.length === 0
          ? (
            <p>
              It may have been removed from the configuration. Its runs are kept for as long as storage says.
            </p>
          )
          : (
            <p>
              Did you mean {near.map((one, i) => (
                <Fragment key={one}>
                  {i === 0 ? "" : " or "}
                  <Link href={addressOf.unit(one)}>{one}</Link>
                </Fragment>
              ))}?
            </p>
          )}
        <p class="row">
          <Link href="/units">All units</Link>
          <Link href={addressOf.runsOf(name)}>Runs of {name}</Link>
        </p>
      </Empty>
    </>
  );
}
