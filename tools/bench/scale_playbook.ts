import { join } from "node:path";
import { installStandIn } from "../../tests/support/server/real_server.ts";

const HOSTS = 10;
export const TASKS_OF_PLAY = 10;
export const RESULTS = HOSTS * TASKS_OF_PLAY;

/** Prints and reports a play of results as the callback does. Perl starts in a few milliseconds. */
const SCRIPT = `#!/usr/bin/perl
use Socket;
my $told = $ENV{CALLBOARD_RESULTS};
my $channel;
if ($told =~ m{^/}) {
  socket($channel, AF_UNIX, SOCK_STREAM, 0) or die "socket: $!";
  connect($channel, pack_sockaddr_un($told)) or die "connect: $!";
} elsif ($told) {
  open($channel, "+<&=", $told) or die "open: $!";
} else {
  print "ansible-playbook [core 2.19.14]\\n";
  exit;
}
my $mark = <$channel>;
chomp $mark;
my $marks = 0;
my $reports = "";
sub marked { print $mark; return ++$marks; }
sub report { $reports .= "{$_[0]}\\n"; }
my $now = time() * 1000;
print "\\nPLAY [Roll out] ******\\n";
report('"e":"play","u":"p1","n":"Roll out","free":false,"at":' . $now . ',"m":' . marked());
for my $t (1 .. ${TASKS_OF_PLAY}) {
  print "\\nTASK [Step $t] ******\\n";
  report('"e":"task","u":"t' . $t . '","n":"Step ' . $t . '","a":"command","r":"","p":"site.yml",'
    . '"l":' . $t . ',"hd":false,"at":' . $now . ',"m":' . marked());
  for my $h (1 .. ${HOSTS}) {
    my $changed = $h % 10 == $t % 10;
    print(($changed ? "changed" : "ok") . ": [web$h.example.com]\\n");
    report('"e":"result","u":"t' . $t . '","h":"web' . $h . '.example.com","s":"ok","c":'
      . ($changed ? 'true,"d":"-' . $t . '\\\\n+' . $h . '\\\\n"' : 'false')
      . ',"b":' . $now . ',"at":' . $now . ',"m":' . marked());
  }
}
my $recap = join(",", map { "[\\"web$_.example.com\\",[${TASKS_OF_PLAY},1,0,0,0,0,0]]" } 1 .. ${HOSTS});
print "\\nPLAY RECAP ******\\n";
print "web$_.example.com : ok=${TASKS_OF_PLAY} changed=1 unreachable=0 failed=0\\n" for 1 .. ${HOSTS};
report('"e":"recap","hosts":[' . $recap . ']');
report('"e":"end","at":' . $now . ',"lost":0,"m":' . $marks);
print $channel $reports;
`;

/** Creates a folder with a stand-in for Ansible whose play reports \`RESULTS\` results. */
export async function installScalePlaybook(directory: string): Promise<string> {
  await installStandIn(directory);
  await Deno.writeTextFile(join(directory, "ansible-playbook"), SCRIPT, { mode: 0o755 });
  return directory;
}
