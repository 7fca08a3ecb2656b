import type { Limits } from "../../../src/types.ts";
import { type GroupPlan, planEnvironment, planGroups } from "../../../src/io/process/group_plan.ts";
import { type GroupTree, probeGroups } from "../../../src/io/process/group_probe.ts";
import { Groups } from "../../../src/io/process/groups.ts";
import { launchProcess } from "../../../src/io/process/launch.ts";
import type { LaunchSpec } from "../../../src/io/process/processes.ts";
import { Warden } from "../../../src/io/process/warden.ts";
import { Launched } from "./fixture.ts";

const key = (): string => crypto.randomUUID().replaceAll("-", "").slice(0, 16);

/** What this machine lets the test make; empty where it allows no groups. */
export const layouts: Record<string, (tree: GroupTree) => boolean> = {
  "all trees": () => true,
  "trees of the first version alone": ({ v2 }) => !v2,
  "the tree of the second version alone": ({ v2 }) => v2,
};

/** Real control groups of one layout, with processes in them; nothing is left when the test ends. */
export class GroupMachine implements AsyncDisposable {
  readonly folder: string;
  readonly plan: GroupPlan;
  groups: Groups;
  asked: Warden;
  readonly #trees: GroupTree[];
  readonly #dead: Groups[] = [];
  #lives = 0;
  #nextId = 1;

  /** Undefined where the machine allows no groups of that layout. */
  static async of(layout: (tree: GroupTree) => boolean): Promise<GroupMachine | undefined> {
    const { trees } = await probeGroups(key());
    const plan = planGroups(trees.filter(layout));
    if (plan !== undefined) return new GroupMachine(plan, trees);
    for (const { dir } of trees) Deno.removeSync(dir);
    return undefined;
  }

  constructor(plan: GroupPlan, trees: GroupTree[]) {
    this.plan = plan;
    this.#trees = trees;
    this.folder = Deno.makeTempDirSync({ prefix: "svc-groups-" });
    [this.groups, this.asked] = this.#live();
  }

  /** The daemon dies at once, and the next one begins. */
  async crash(): Promise<void> {
    await this.asked.close();
    this.#dead.push(this.groups);
    [this.groups, this.asked] = this.#live();
  }

  /** The id of the run that is launched next. */
  get nextRunId(): string {
    return `G${Deno.pid}N${this.#nextId}`;
  }

  launch(script: string, limits: Limits = {}, cwd = "/"): Grouped {
    const runId = this.nextRunId;
    this.#nextId++;
    let place: readonly string[] = [];
    const groups = (): readonly string[] => place = this.groups.take(runId, limits);
    const launch = (spec: LaunchSpec, sink: Parameters<typeof launchProcess>[1]) =>
      launchProcess(spec, sink, { noteFolder: this.folder, groups });
    const spec: LaunchSpec = {
      runId,
      name: "unit",
      shell: "/bin/sh",
      script,
      args: [],
      cwd,
      envBase: "clean",
      env: { SVC_RUN_ID: runId },
      limits,
    };
    const child = new Launched({ launch }, spec);
    const folders = place.flatMap((word, at) => word === "group" ? [place[at + 1]!] : []);
    return Object.assign(child, { folders });
  }

  /** Folders of groups that exist. */
  groupsThere(): string[] {
    return this.#trees.flatMap(({ dir }) => {
      try {
        return [...Deno.readDirSync(dir)].filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
      } catch {
        return [];
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.groups.killLeftovers([]);
    for (const groups of [this.groups, ...this.#dead]) await groups.close();
    await this.asked.close();
    Deno.removeSync(this.folder, { recursive: true });
  }

  #live(): [Groups, Warden] {
    const asked = new Warden(planEnvironment(this.plan, this.#trees));
    const prefix = `p${this.#lives++}x`;
    return [new Groups(this.plan, { trees: this.#trees, asked, prefix }), asked];
  }
}

/** A process in groups, whose folders are known. */
export type Grouped = Launched & { folders: string[] };
