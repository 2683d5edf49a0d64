/**
 * Creates a folder with packages for pip: a stand-in of ansible-core that prints its version and
 * runs a script, and a package without contents. The stand-in may have the modules of a `library`.
 */
export async function makeWheels(
  folder: string,
  versions: string[],
  script: string,
  library = "",
) {
  await Deno.mkdir(folder, { recursive: true });
  const input = JSON.stringify({ folder, versions, script, library });
  const { success, stderr } = await new Deno.Command("python3", { args: ["-c", MAKE, input] })
    .output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

const MAKE = `
import json, sys, zipfile
given = json.loads(sys.argv[1])

def wheel(name, version, files, scripts=()):
    info = f"{name}-{version}.dist-info"
    files = dict(files)
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n"
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    if scripts:
        lines = "".join(f"{command} = ansible_stand_in:main\\n" for command in scripts)
        files[f"{info}/entry_points.txt"] = "[console_scripts]\\n" + lines
    files[f"{info}/RECORD"] = "".join(f"{file},,\\n" for file in files) + f"{info}/RECORD,,\\n"
    path = f"{given['folder']}/{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)

for version in given["versions"]:
    main = f"""import os, sys
def main():
    if "--version" in sys.argv:
        print("ansible-playbook [core {version}]")
    else:
        os.execv("/bin/sh", ["/bin/sh", {given["script"]!r}, *sys.argv[1:]])
"""
    commands = ["ansible-playbook", "ansible-galaxy"]
    files = {"ansible_stand_in.py": main, "ansible_stand_in.pth": given["library"]}
    wheel("ansible_core", version, files, commands)
wheel("more", "1.0", {"more.py": ""})
`;
