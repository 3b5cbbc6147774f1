import { register } from 'node:module';
import process from 'node:process';

/** The oldest Node that runs the sources as they are; `npm ci` installs it, and Pulumi takes the Node of the PATH. */
const ownNode = 24;

/**
 * Loads the program of a stack and returns its exports, the outputs of the stack. On a Node that is older, or that strips
 * no types, esbuild translates the sources, and functions that are missing are added.
 *
 * @param {() => Promise<object>} load imports the program
 * @returns {Promise<object>}
 */
export async function runTypeScript(load) {
  const isOlder = Number(process.versions.node.split('.')[0]) < ownNode;
  if (isOlder || !process.features.typescript) {
    register('./typescript-hooks.js', import.meta.url);
    await addMissingFunctions();
  }
  return { ...(await load()) };
}

/** The names are those of globals, such as `Map.groupBy`. */
async function addMissingFunctions() {
  const functions = await import('../tools/package/older-node.ts');
  for (const [name, value] of Object.entries(functions)) {
    const parts = name.split('.');
    const last = parts.pop();
    const holder = parts.reduce((object, part) => object[part], globalThis);
    holder[last] ??= value;
  }
}
