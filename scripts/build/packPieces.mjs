// @ts-check
import path from 'node:path';

/**
 * Puts the pieces of a split bundle into files: those of a group together, each still run only when it is asked for,
 * and every other by itself.
 *
 * @param {ReadonlyMap<string, string>} pieces Code of each piece, as CommonJS, by its file name.
 * @param {import('esbuild').Metafile} metafile Of the build that made them.
 * @param {readonly { file: string, entries: string[] }[]} groups
 *   The first one is the program: its first entry runs when the file is started. A group has all that its entries load at once.
 * @returns {Map<string, string>} Code of each file by its name; the program is the first.
 */
export function packPieces(pieces, metafile, groups) {
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([file, each]) => [path.basename(file), each]),
  );
  /** @type {Map<string, string>} */
  const fileOf = new Map();
  for (const { file, entries } of groups) {
    for (const entry of entries) {
      const found = [...outputs].find(([, { entryPoint }]) => entryPoint === entry);
      if (!found) throw new Error(`${entry} is no entry of the bundle: nothing imports it by import().`);
      claim(found[0], file);
    }
  }

  /**
   * @param {string} piece
   * @param {string} file
   */
  function claim(piece, file) {
    if (fileOf.has(piece)) return;
    fileOf.set(piece, file);
    for (const { path: target, kind, external } of outputs.get(piece)?.imports ?? [])
      if (!external && kind !== 'dynamic-import') claim(path.basename(target), file);
  }

  /** @param {string} piece */
  function codeOf(piece) {
    const code = pieces.get(piece) ?? '';
    return code.replace(/\brequire\("\.\/(ak[^"]*\.js)"\)/g, (call, /** @type {string} */ target) => {
      const file = fileOf.get(target);
      if (file === undefined) return call;
      return file === fileOf.get(piece) ? `load("${target}")` : `require("./${file}")("${target}")`;
    });
  }

  const packed = groups.map(({ file }, index) => {
    const own = [...fileOf].filter(([, each]) => each === file).map(([piece]) => piece);
    return /** @type {const} */ ([file, index === 0 ? program(own, codeOf) : library(own, codeOf)]);
  });
  const single = [...pieces.keys()].filter((piece) => !fileOf.has(piece));
  return new Map([...packed, ...single.map((piece) => /** @type {const} */ ([piece, codeOf(piece)]))]);
}

/**
 * @param {string[]} own
 * @param {(piece: string) => string} codeOf
 */
function program(own, codeOf) {
  // Other files ask this one for its pieces; a second copy of it, by way of a link, must not run the program again.
  return `#!/usr/bin/env node\n${library(own, codeOf)}if (require.main === module) load("${own[0]}");\n`;
}

/**
 * @param {string[]} own
 * @param {(piece: string) => string} codeOf
 */
function library(own, codeOf) {
  const functions = own.map((piece) => {
    const code = codeOf(piece).replace(/^#!.*\n/, '');
    // In parentheses, so that it is compiled at once and not twice.
    return `"${piece}":(function(module,exports){${code}})`;
  });
  return `"use strict";
const pieces={${functions.join(',\n')}};
const loaded={};
function load(name){
if(loaded[name]===undefined){const module=loaded[name]={exports:{}};pieces[name](module,module.exports);}
return loaded[name].exports;
}
module.exports=load;
`;
}
