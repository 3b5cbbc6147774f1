// Keeps compiled code for the next run beside the packages, where only those write who may change the code itself. Node.js
// 20 cannot, and a folder that is not writable keeps nothing.
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { fileURLToPath } from 'node:url';

const inClone = existsSync(new URL('../runtime/cli/azimuth.ts', import.meta.url));
const packages = new URL(inClone ? '../node_modules/' : '../../', import.meta.url);
module.enableCompileCache?.(fileURLToPath(new URL('.cache/azimuth', packages)));
