/**
 * Python script that makes the programs of its virtualenv collect garbage less often. While Ansible
 * starts it creates many objects that stay: looking through them again and again takes 7 %
 * of the time. See docs/decisions/0121.
 */
export const COLLECT_RARELY = `
import pathlib, sysconfig
file = pathlib.Path(sysconfig.get_path("purelib"), "callboard.pth")
file.write_text("import gc; gc.set_threshold(100_000, 10, 10)\\n")
`;
