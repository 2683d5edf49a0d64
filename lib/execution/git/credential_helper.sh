
# Git's credential helper: reads the address as attributes, which no address can imitate, and prints
# login and password.

[ "$1" = get ] || exit 0
scheme='' host='' user='' path=''
while IFS= read -r line; do
  case $line in
    protocol=*) scheme=${line#*=} ;;
    host=*) host=${line#*=} ;;
    username=*) user=${line#*=} ;;
    path=*) path=${line#*=} ;;
  esac
done
case $scheme in https) split_host 443 ;; http) split_host 80 ;; *) exit 0 ;; esac
given=$user user=''
find_key && [ -e "$base.login.$key" ] || exit 0
login=$(cat "$base.login.$key")
printf 'username=%s\n' "${login:-${given:-git}}"
printf 'password=' && cat "$base.password.$key"
