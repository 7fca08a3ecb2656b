/** What tests ask of the machine itself, without the program under test. */

/** Run ids that living processes carry in their environment. */
export async function livingCarriers(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const environment = await Deno.readTextFile(`/proc/${name}/environ`).catch(() => "");
    const id = /(?:^|\0)SVC_RUN_ID=(\w+)/.exec(environment)?.[1];
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** Asks again until the answer is yes; throws after 20 s, or `within` so many. */
export async function until(
  what: string,
  answer: () => Promise<boolean>,
  { within = 20 }: { within?: number } = {},
): Promise<void> {
  const deadline = Date.now() + within * 1000;
  while (!(await answer())) {
    if (Date.now() > deadline) throw new Error(`not within ${within} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Whether a process exists and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}

/**
 * Resolves once a process has ended, however that came. One that was killed takes a moment to end, and lets go of its
 * memory, its files and its control group before it is a zombie.
 */
export async function gone(pid: number): Promise<void> {
  await until(`process ${pid} has ended`, () => Promise.resolve(!isAlive(pid)));
}
