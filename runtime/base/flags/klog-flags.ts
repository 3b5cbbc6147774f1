import type { IgnoredFlags } from '../settings.ts';

const toOutput = 'lines go to standard output';
const toNoFile = 'lines go to standard output, and to no file';

/** The flags that every program with klog takes (k8s.io/klog/v2, `InitFlags`), so that arguments written for one still start ours. */
export const klogFlags: Required<IgnoredFlags> = {
  meanings: {
    add_dir_header: 'lines name no source file',
    alsologtostderr: toOutput,
    log_backtrace_at: 'errors have their own trace',
    log_dir: toNoFile,
    log_file: toNoFile,
    log_file_max_size: toNoFile,
    logtostderr: toOutput,
    one_output: toOutput,
    skip_headers: 'lines are JSON',
    skip_log_headers: toNoFile,
    stderrthreshold: toOutput,
    v: '--log-level is its successor',
    vmodule: '--log-level is the same for all parts',
  },
  booleans: new Set([
    'add_dir_header',
    'alsologtostderr',
    'logtostderr',
    'one_output',
    'skip_headers',
    'skip_log_headers',
  ]),
};
