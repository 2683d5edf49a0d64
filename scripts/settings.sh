# Functions for scripts that need settings before Deno runs.

# Sets the variables of the settings file $1 as systemd would, which expands nothing. The states are
# those of parse_env_file_internal() in its src/basic/env-file.c. For programs,
# lib/base/settings/environment_file.ts does the same.
load_settings_from() {
  eval "$(awk '
    function warn(text) {
      odd = odd first ": " text "\n"
    }
    function quoted(text) {
      gsub(/\047/, "&\\\\&&", text)
      return "\047" text "\047"
    }
    function assign() {
      state = ""
      sub(/[ \t]+$/, "", key)
      if (key !~ /^[A-Za-z_][A-Za-z0-9_]*$/) {
        return warn("\"" key "\" is not a name, so the line is ignored")
      }
      if (key in values) warn(key " is set a second time")
      else keys[++count] = key
      values[key] = value
      lines[key] = first
    }
    function step(c) {
      ends = c == "\n" || c == "\r"
      blank = ends || c == " " || c == "\t"
      if (state == "") {
        if (blank) return
        first = NR
        state = c ~ /[#;]/ ? "comment" : "key"
        key = c
        value = ""
      } else if (state == "comment") {
        if (ends) state = ""
        if (ends && last == "\\") {
          warn("the comment ends with \"\\\", so some versions of systemd skip the next line")
        }
      } else if (state == "key") {
        if (ends) {
          state = ""
          warn("this is not NAME=value, so the line is ignored")
        } else if (c == "=") state = "start"
        else key = key c
      } else if (state == "start") {
        if (ends) assign()
        else if (c == "\047") state = "single"
        else if (c == "\"") state = "double"
        else if (c == "\\") state = "escaped"
        else if (!blank) {
          state = "plain"
          value = value c
          kept = length(value)
        }
      } else if (state == "plain") {
        if (ends) {
          value = substr(value, 1, kept)
          assign()
        } else if (c == "\\") {
          state = "escaped"
          kept = length(value)
        } else {
          value = value c
          if (!blank) kept = length(value)
        }
      } else if (state == "escaped") {
        state = "plain"
        if (!ends) value = value c
        kept = length(value)
      } else if (state == "single") {
        if (c == "\047") state = "start"
        else value = value c
      } else if (state == "double") {
        if (c == "\"") state = "start"
        else if (c == "\\") state = "double escaped"
        else value = value c
      } else {
        state = "double"
        if (c ~ /["\\`$]/) value = value c
        else if (c != "\n") value = value "\\" c
      }
      last = c
    }
    {
      line = $0 "\n"
      for (i = 1; i <= length(line); i++) step(substr(line, i, 1))
    }
    END {
      if (state ~ /single|double/) warn("the quote is not closed")
      if (state !~ /^(|comment|key)$/) assign()
      print "CALLBOARD_FILE_NAMES="
      for (n = 1; n <= count; n++) {
        key = keys[n]
        set = "export " key "=" quoted(values[key])
        if (key !~ /^(CALLBOARD_|DENO_KV_ACCESS_TOKEN)/) print set
        else {
          # A variable wins over the file.
          print "if [ -z \"${" key "+set}\" ]; then"
          print set
          print "CALLBOARD_FILE_NAMES=\"$CALLBOARD_FILE_NAMES " key ":" lines[key] "\""
          print "fi"
        }
      }
      print "export CALLBOARD_FILE_NAMES CALLBOARD_FILE_ODD=" quoted(odd)
    }' <"$1")"
}

# Does the same with the file that is used in this folder, if there is one. Files that cannot be
# read or are too large are reported by the program itself.
load_settings() {
  [ -z "${CALLBOARD_FILE_NAMES+set}" ] || return 0
  set -- "${CALLBOARD_CONFIG-callboard.env}"
  [ ! -f "$1" ] || [ ! -r "$1" ] || [ "$(wc -c <"$1")" -gt 131072 ] || load_settings_from "$1"
}
