
# Git's credential helper: reads the address as attributes, which no address can imitate, and prints
# login and password. It says nothing more about an address that has refused them, because Git LFS
# would ask again and again.

scheme='' host='' user='' path=''
while IFS= read -r line; do
  case $line in
    protocol=*) scheme=${line#*=} ;;
    host=*) host=${line#*=} ;;
    username=*) user=${line#*=} ;;
    path=*) path=${line#*=} ;;
  esac
done
case $1 in
  get) ! grep -q -F -x -e "$scheme://$host/$path" "$base.refused" 2>/dev/null || exit 0 ;;
  erase) printf '%s\n' "$scheme://$host/$path" >>"$base.refused" && exit ;;
  *) exit 0 ;;
esac
case $scheme in https) split_host 443 ;; http) split_host 80 ;; *) exit 0 ;; esac
given=$user user=''
find_key && [ -e "$base.login.$key" ] || exit 0
login=$(cat "$base.login.$key")
printf 'username=%s\n' "${login:-${given:-git}}"
# Another line would be another attribute.
printf 'password=' && head -n 1 "$base.password.$key"
