
# The ssh of git: runs it with the key for the host and the path that it is called with.

scheme=ssh host='' user='' takes='' given='' command=''
for argument; do
  if [ -n "$takes" ]; then
    [ "$takes" != -p ] || given=$argument
    takes=''
  elif [ -n "$host" ]; then
    command="$command $argument"
  else
    case $argument in
      -[BbcDEeFIiJLlmOopQRSWw]) takes=$argument ;;
      -*) ;;
      *) host=$argument ;;
    esac
  fi
done
case $host in *@*) user=${host%@*} host=${host##*@} ;; esac
# ssh takes the port as an option, and colons are part of an address.
case $host in '['*) ;; *:*) host="[$host]" ;; esac
split_host "${given:-22}"
command=${command# }
path=${command#* }
case $command in git-lfs-authenticate' '*) path=${path% *} ;; esac
path=${path#\'} path=${path%\'}
if find_key && [ -e "$base.ssh.$key" ]; then
  . "$base.ssh.$key"
else
  [ -n "$user" ] || set -- -o User=git "$@"
  set -- -o BatchMode=yes "$@"
fi
