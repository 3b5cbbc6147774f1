/** Runs in a network namespace that plays the pods: sends the load that the bench names in a message. */
import { type LoadOptions, load } from '../http-load.ts';

process.on('message', async (options: LoadOptions) => process.send?.(await load(options)));
process.send?.('ready');
