/** A variable of this process; undefined also where it is not UTF-8, for which `Deno.env.get()` throws. */
export function ownVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.InvalidData) return undefined;
    throw error;
  }
}
