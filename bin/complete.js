#!/usr/bin/env node
// kubectl runs this program to complete `kubectl azimuth`: its arguments are the words of the command line.
process.argv.splice(2, 0, '__complete', '--');
await import('./azimuth.js');
