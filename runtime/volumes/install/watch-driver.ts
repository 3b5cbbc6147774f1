import { join } from 'node:path';
import { readBoundedTextSync } from '../../base/bounded-file.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/observability/log.ts';
import { type DriverSettings, parseSettings } from '../options/settings.ts';
import { type InstallOptions, installDriver } from './installer.ts';
import { pluginDirectoryOf } from './plugin-directory.ts';

/** The files to install, the time between checks, and the places to report to. */
export interface DriverWatcherDeps {
  readonly install: InstallOptions;
  /** Milliseconds between two checks. */
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called after each check: whether the driver is installed, and whether the check had to repair it. */
  readonly onCheck?: (check: { readonly installed: boolean; readonly changed: boolean }) => void;
}

/** Keeps the driver installed: each check verifies its digest, and installs it again where it was changed. */
export class DriverWatcher {
  readonly #deps: DriverWatcherDeps;
  #problem: string | undefined = 'it has not been checked yet';

  constructor(deps: DriverWatcherDeps) {
    this.#deps = deps;
  }

  /** Why the driver may not be installed; undefined after a successful check. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** The first check. Throws the reason of a failure, as `installDriver`. */
  async install(): Promise<void> {
    const { install, log, onCheck } = this.#deps;
    try {
      const { path, digest, changed } = await installDriver(install);
      this.#problem = undefined;
      onCheck?.({ installed: true, changed: false });
      log.info({ path, digest, changed }, 'the driver is installed');
    } catch (error) {
      this.#problem = messageOf(error);
      onCheck?.({ installed: false, changed: false });
      throw error;
    }
  }

  /** Repeats the check until `stop` aborts. */
  async watch(stop: AbortSignal): Promise<void> {
    const { install, intervalMs, clock, log, onCheck } = this.#deps;
    while (!stop.aborted) {
      await clock.sleep(intervalMs, stop).catch(() => undefined);
      if (stop.aborted) return;
      try {
        const { path, changed } = await installDriver(install);
        this.#problem = undefined;
        onCheck?.({ installed: true, changed });
        if (changed) log.warn({ path }, 'the driver was missing or changed and is installed again');
      } catch (error) {
        this.#problem = messageOf(error);
        onCheck?.({ installed: false, changed: false });
        log.error({ error: this.#problem }, 'the driver cannot be installed');
      }
    }
  }
}

/**
 * kubelet's plugin directory as a path of this process; `configured`: the setting, else detected below `hostRoot`.
 */
export function targetDirectoryOf(configured: string | undefined, hostRoot: string): string {
  return configured ?? join(hostRoot, pluginDirectoryOf(hostRoot));
}

/**
 * The node's settings with the agent's socket: as text for the driver, and parsed for the agent. `file`: the node's
 * settings file; undefined = the defaults. Throws AZ_CONFIG_INVALID.
 */
export function settingsWithAgent(
  file: string | undefined,
  agentSocket: string,
): { readonly text: string; readonly settings: DriverSettings } {
  const given = file === undefined ? '{}' : settingsText(file);
  // Checks the settings before the socket overrides a member.
  parseSettings(given, file ?? 'the settings');
  const text = `${JSON.stringify({ ...(JSON.parse(given) as object), agentSocket }, undefined, 2)}\n`;
  return { text, settings: parseSettings(text, file ?? 'the settings') };
}

function settingsText(file: string): string {
  try {
    return readBoundedTextSync(file);
  } catch (cause) {
    throw new AzimuthError('AZ_CONFIG_INVALID', `The settings ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
