// Runs a program on Python 3.14: Pyodide in Node.js. Its one argument names a JSON file:
//   mounts   folder for Python -> folder of this computer
//   copies   file for Python -> file of this computer
//   path     folders to import from
//   argv     sys.argv of the program
//   program  what to run
// Its exit status is that of the program; what it prints comes out as it is printed.
import { readFileSync } from "node:fs"
import { loadPyodide } from "./node_modules/pyodide/pyodide.mjs"

const plan = JSON.parse(readFileSync(process.argv[2], "utf8"))
const pyodide = await loadPyodide({
  stdout: text => console.log(text),
  stderr: text => console.error(text),
})
for (const [there, here] of Object.entries(plan.mounts)) {
  pyodide.FS.mkdirTree(there)
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: here }, there)
}
for (const [there, here] of Object.entries(plan.copies)) {
  pyodide.FS.writeFile(there, readFileSync(here))
}
pyodide.globals.set("plan", pyodide.toPy({ path: plan.path, argv: plan.argv, program: plan.program }))
const status = await pyodide.runPythonAsync(`
import sys, traceback
sys.path[:0] = plan["path"]
sys.argv = plan["argv"]
sys.dont_write_bytecode = True
status = 0
try:
    exec(compile(plan["program"], "<program>", "exec"), {"__name__": "__main__"})
except SystemExit as stop:
    status = stop.code or 0
except BaseException:
    traceback.print_exc()
    status = 1
status
`)
process.exit(status)
