import type { Shell } from "./reply.ts";

/**
 * The scripts that connect a shell with the program. They decide nothing: what may stand at the cursor is asked
 * of the very program that stands on the line, so that a script is never older than it.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# Completion of svc for bash. Put it into ~/.local/share/bash-completion/completions/svc,
# or into ~/.bashrc: source <(svc completions bash)
_svc_complete() {
  local kind line program=\${COMP_WORDS[0]/#\\~/$HOME} IFS=$'\\n'
  local current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=()
  {
    read -r kind || return 0
    case $kind in
      files) compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -f -- "$current")) ;;
      folders) compopt -o filenames 2> /dev/null; COMPREPLY=($(compgen -d -- "$current")) ;;
      *)
        [ "$kind" = open ] && compopt -o nospace 2> /dev/null
        while read -r line; do COMPREPLY+=("$line"); done ;;
    esac
  } < <("$program" __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2> /dev/null)
}
complete -F _svc_complete svc
`,
  zsh: `#compdef svc
# Completion of svc for zsh. Put it as _svc into a folder of $fpath, or into ~/.zshrc after compinit:
# source <(svc completions zsh)
_svc() {
  local kind program=\${~words[1]}
  local -a lines
  lines=("\${(@f)$("$program" __complete zsh "\${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
  kind=$lines[1]
  lines=("\${(@)lines[2,-1]}")
  case $kind in
    files) compset -P '--[^=]#='; _files ;;
    folders) compset -P '--[^=]#='; _files -/ ;;
    open) _describe -V svc lines -S '' ;;
    words) _describe -V svc lines ;;
  esac
}
if [ "$funcstack[1]" = _svc ]; then _svc; else compdef _svc svc; fi
`,
  fish: `# Completion of svc for fish. Put it into ~/.config/fish/completions/svc.fish
function __svc_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines (command $words[1] __complete fish $words[2..-1] "$current" 2> /dev/null)
    # What stands before the value in --option=value is part of the word.
    set -l option (string match -r -- '^--[^=]*=' "$current")
    set -l value (string replace -r -- '^--[^=]*=' '' "$current")
    switch "$lines[1]"
        case files
            printf "$option%s\\n" (__fish_complete_path "$value")
        case folders
            printf "$option%s\\n" (__fish_complete_directories "$value")
        case words open
            printf '%s\\n' $lines[2..-1]
    end
end
complete -c svc -f -k -a '(__svc_complete)'
`,
};
