/**
 * A function of shell that reads a file of variables as systemd does (systemd.exec(5), EnvironmentFile=), and so runs
 * nothing of it: values stand as they are, quotes of both kinds hold blanks and line breaks, a backslash protects
 * what follows or joins lines, and lines that are none are passed over.
 */
export const readerLines: readonly string[] = String.raw`
read_variables() { # NAME=value lines, by the rules of systemd: nothing in them is run
  while IFS= read -r _l || [ -n "$_l" ]; do
    _l=${"$"}{_l#"${"$"}{_l%%[![:space:]]*}"}
    case $_l in [\#\;]*) continue ;; *=*) ;; *) continue ;; esac
    _n=${"$"}{_l%%=*} _l=${"$"}{_l#*=} _v= _w= _q=0
    _n=${"$"}{_n%"${"$"}{_n##*[![:space:]]}"}
    while :; do
      if [ -z "$_l" ]; then
        case $_q in \" | \') IFS= read -r _l || [ -n "$_l" ] || break; _v="$_v
"; continue ;; esac
        break
      fi
      _c=${"$"}{_l%"${"$"}{_l#?}"} _l=${"$"}{_l#?}
      case $_q$_c in
        0[[:space:]]) ;;
        1[[:space:]]) _w=$_w$_c ;;
        [01]\\)
          if [ -z "$_l" ]; then IFS= read -r _l || [ -n "$_l" ] || break
          else _v=$_v$_w${"$"}{_l%"${"$"}{_l#?}"} _l=${"$"}{_l#?} _w=; fi
          _q=1 ;;
        0[\"\']) _q=$_c ;;
        \"\" | \'\') _q=0 ;;
        \"\\)
          case $_l in
            '') IFS= read -r _l || [ -n "$_l" ] || break ;;
            [\"\\\$\`]*) _v=$_v${"$"}{_l%"${"$"}{_l#?}"} _l=${"$"}{_l#?} ;;
            *) _v=$_v$_c ;;
          esac ;;
        [\"\']?) _v=$_v$_c ;;
        *) _v=$_v$_w$_c _w= _q=1 ;;
      esac
    done
    case $_n in '' | [0-9]* | *[!A-Za-z0-9_]*) ;; *) export "$_n=$_v" ;; esac
  done < "$1"
}
`.trim().split("\n");
