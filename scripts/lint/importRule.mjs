// @ts-check
// The ESLint rule that holds the import table.
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { findRoom, isIn, owners } from './importTable.mjs';

/**
 * Says why an import is refused.
 *
 * @param {string} file Importing file, as path from the root with slashes.
 * @param {string} target What stands in the import.
 * @param {boolean} typesOnly
 * @returns {string | undefined} Undefined when it is allowed.
 */
export function refuseImport(file, target, typesOnly) {
  const room = findRoom(file);
  if (!room) return undefined;
  if (target.startsWith('.')) {
    const imported = path.posix.join(path.posix.dirname(file), target);
    if (isIn(imported, room.folder) && !isForeignRoom(imported, room.folder)) return undefined;
    if (room.code.some((place) => isIn(imported, place))) return undefined;
    const ofTypes = room.types?.some((place) => isIn(imported, place));
    if (ofTypes && typesOnly) return undefined;
    return `${room.folder} may import ${ofTypes ? `only types of ${imported}` : `nothing of ${imported}`}`;
  }
  const name = packageName(target);
  const owned = owners[name];
  if (owned) {
    return owned.some((place) => isIn(file, place))
      ? undefined
      : `only ${owned.join(' and ')} may import ${name}`;
  }
  const allowed = isBuiltin(target) ? room.builtins : room.packages;
  return allowed === 'all' || allowed.includes(name) ? undefined : `${room.folder} may not import ${name}`;
}

/**
 * True when a row of its own lies between: a room below the importing row's folder is not its own code.
 *
 * @param {string} imported
 * @param {string} folder
 */
function isForeignRoom(imported, folder) {
  return findRoom(imported)?.folder !== folder && folder !== 'src/vscode';
}

/** @param {string} target */
function packageName(target) {
  if (isBuiltin(target)) return target.startsWith('node:') ? target : `node:${target}`;
  return target.split('/', target.startsWith('@') ? 2 : 1).join('/');
}

/** @type {import('eslint').Rule.RuleModule} */
export const importRule = {
  meta: { type: 'problem', schema: [], messages: { refused: '{{why}} (import rules: CONTRIBUTING.md).' } },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    /**
     * @param {any} node
     * @param {any} source
     * @param {boolean} typesOnly
     */
    const check = (node, source, typesOnly) => {
      if (typeof source?.value !== 'string') return;
      const why = refuseImport(file, source.value, typesOnly);
      if (why) context.report({ node, messageId: 'refused', data: { why } });
    };
    return {
      /** @param {any} node */
      ImportDeclaration: (node) => check(node, node.source, isOfTypes(node, node.importKind)),
      /** @param {any} node */
      ExportNamedDeclaration: (node) => check(node, node.source, isOfTypes(node, node.exportKind)),
      /** @param {any} node */
      ExportAllDeclaration: (node) => check(node, node.source, node.exportKind === 'type'),
      /** @param {any} node */
      ImportExpression: (node) => check(node, node.source, false),
      /** @param {any} node */
      TSImportType: (node) => check(node, node.source, true),
    };
  },
};

/**
 * @param {any} node
 * @param {string} kind
 */
function isOfTypes(node, kind) {
  if (kind === 'type') return true;
  const { specifiers } = node;
  return (
    specifiers.length > 0 &&
    specifiers.every((/** @type {any} */ { importKind, exportKind }) => (importKind ?? exportKind) === 'type')
  );
}
