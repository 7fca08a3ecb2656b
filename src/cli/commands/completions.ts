import { Argument } from "commander";
import { defineCommand } from "../command.ts";
import { type Shell, shells } from "../completion/reply.ts";
import { scripts } from "../completion/scripts.ts";
import { exit } from "../failures.ts";

/** `svc completions SHELL`: the script that connects a shell with the program. */
export const command = defineCommand({
  needs: "nothing",
  define: (command) => command.addArgument(new Argument("<SHELL>", "the shell").choices([...shells])),
  examples: [
    "svc completions bash > ~/.local/share/bash-completion/completions/svc",
    "svc completions fish > ~/.config/fish/completions/svc.fish",
  ],
  withoutJson: "it prints a script",
  run({ terminal }, { args }) {
    terminal.out.copy(scripts[args[0] as Shell]);
    return Promise.resolve(exit.done);
  },
});
