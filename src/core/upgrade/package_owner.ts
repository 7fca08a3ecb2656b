/** How a manager of packages is asked whose a file is, what it says then, and how it upgrades. */
interface PackageManager {
  /** Words before the path of the file. */
  ask: readonly string[];
  /** The package, in the output of a command that succeeded. */
  nameIn: RegExp;
  upgrade: (name: string) => string;
}

/** All that are asked, where they are there. */
export const packageManagers: readonly PackageManager[] = [
  {
    ask: ["dpkg", "-S"],
    nameIn: /^(?!diversion )([a-z0-9][a-z0-9+.-]*)(?::[a-z0-9-]+)?(?:,[^:]*)?: \//m,
    upgrade: (name) => `apt-get install --only-upgrade ${name}`,
  },
  {
    ask: ["rpm", "-qf", "--qf", "%{NAME}\\n"],
    nameIn: /^([\w.+-]+)$/m,
    upgrade: (name) => `dnf upgrade ${name}`,
  },
  {
    ask: ["apk", "info", "--who-owns"],
    nameIn: / is owned by ([\w.+-]+?)-\d\S*$/m,
    upgrade: (name) => `apk add --upgrade ${name}`,
  },
  { ask: ["pacman", "-Qoq"], nameIn: /^([\w.+@-]+)$/m, upgrade: (name) => `pacman -S ${name}` },
];
