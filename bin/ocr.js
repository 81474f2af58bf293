#!/usr/bin/env node
// This file is JavaScript of 2015 without static imports, so that an old Node still reaches the message about itself.
start();

function start() {
  const parts = process.versions.node.split('.').map(Number);
  // 21 and the first of 22 lack what 20.19 has.
  if (parts[0] < 20 || parts[0] === 21 || (parts[0] === 20 && parts[1] < 19) || (parts[0] === 22 && parts[1] < 3)) {
    process.stderr.write(
      `ocr: Node.js 20.19 or newer (22.3 of 22) is needed; ${process.execPath} is ${process.version}\n`,
    );
    process.exitCode = 2;
    return;
  }
  const fs = process.getBuiltinModule('node:fs');
  const path = process.getBuiltinModule('node:path');
  const root = path.dirname(path.dirname(fs.realpathSync(launcherPath(fs))));

  // Scripts and package managers ask for the version often: nothing else is loaded for it.
  if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
    printVersion(fs, path.join(root, 'package.json'));
    return;
  }

  // Help for a pipe is a file that `npm run docs` makes; a terminal gets help formatted for its width.
  if (process.argv.length === 3 && (process.argv[2] === '--help' || process.argv[2] === '-h')) {
    if (printHelp(fs, path.join(root, 'docs', 'help.txt'))) return;
  }

  const main = path.join(root, 'dist', 'main.js');
  if (!fs.existsSync(main)) {
    process.stderr.write(`ocr: this checkout is not built yet\nTry: npm run build   (in ${root})\n`);
    process.exitCode = 2;
    return;
  }
  // From Node 22.1 on, compiled code is kept between runs.
  const nodeModule = process.getBuiltinModule('node:module');
  if (nodeModule.enableCompileCache) nodeModule.enableCompileCache();
  import(process.getBuiltinModule('node:url').pathToFileURL(main).href);
}

/** `node bin/ocr` names no file that exists: Node found the one with `.js`. */
function launcherPath(fs) {
  return fs.existsSync(process.argv[1]) ? process.argv[1] : `${process.argv[1]}.js`;
}

function printVersion(fs, manifest) {
  write(fs, `${JSON.parse(fs.readFileSync(manifest, 'utf8')).version}\n`);
}

/** False if commander has to print it: on a terminal, or without the file. */
function printHelp(fs, file) {
  if (process.getBuiltinModule('node:tty').isatty(1) || !fs.existsSync(file)) return false;
  write(fs, fs.readFileSync(file, 'utf8'));
  return true;
}

function write(fs, text) {
  try {
    fs.writeFileSync(1, text);
  } catch (error) {
    if (error.code === 'EPIPE') return;
    const words = process.getBuiltinModule('node:util').getSystemErrorMap().get(error.errno);
    process.stderr.write(`ocr: Cannot write to standard output: ${words ? words[1] : error.code}\n`);
    process.exitCode = 1;
  }
}
