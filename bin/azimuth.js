#!/usr/bin/env node
// The program of the sources, in a clone, or of the built package, which has no sources.
import './compile-cache.js';
import { existsSync } from 'node:fs';

const sources = new URL('../runtime/cli/azimuth.ts', import.meta.url);
await import(existsSync(sources) ? sources : new URL('../dist/package/azimuth.mjs', import.meta.url));
