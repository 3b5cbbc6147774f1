import { runTypeScript } from '../typescript.js';

/** Pulumi calls it; the exports of index.ts are the outputs of the stack. */
export default () => runTypeScript(() => import('./index.ts'));
