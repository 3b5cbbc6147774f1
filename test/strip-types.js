import { stripTypeScriptTypes } from 'node:module';

/** Jest's transform of TypeScript: what Node itself does, so tests run the code that ships, at the same lines and columns. */
export default { process: (text) => ({ code: stripTypeScriptTypes(text) }) };
