# Finds the key of a git address. The scripts of a run begin with this text, after `base`, which is
# the path of their files. The first line of "$base.rules" that matches counts: a number, a scheme,
# a host, a port or "*", an account or "-", and a path or nothing.

# Splits $host into $host in lower case and $port.
split_host() {
  port=$1
  case $host in *']:'* | [!'[']*:*) port=${host##*:} host=${host%:*} ;; esac
  host=${host#'['} host=${host%']'}
  case $host in *[[:upper:]]*) host=$(printf %s "$host" | tr '[:upper:]' '[:lower:]') ;; esac
}

# Sets $key to the number of the rule for $scheme, $host, $port, $user and $path.
find_key() {
  while [ "${path#/}" != "$path" ]; do path=${path#/}; done
  # Servers and programs disagree about these, so only rules for whole hosts apply.
  case /$path/ in */../* | */./* | *%2[EeFf]* | *%5[Cc]* | *\\*) odd=1 ;; *) odd='' ;; esac
  while read -r key its_scheme its_host its_port its_user its_path; do
    [ "$its_scheme" = "$scheme" ] || continue
    [ "$its_host" = "$host" ] || [ "$its_host" = '*' ] || continue
    [ "$its_port" = "$port" ] || [ "$its_port" = '*' ] || continue
    [ "$its_user" = - ] || [ -z "$user" ] || [ "$its_user" = "$user" ] || continue
    [ -n "$its_path" ] || return 0
    [ -z "$odd" ] || continue
    case $path in
      "$its_path" | "$its_path"/* | "$its_path".git | "$its_path".git/*) return 0 ;;
    esac
  done <"$base.rules"
  return 1
}
