import { expected } from '../../base/errors.ts';
import { exitCodes } from '../exit/failure.ts';
import type { Program } from '../program.ts';

/** The script of each shell. Each asks `azimuth __complete` for the words that can follow. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_azimuth() {
  local IFS=$'\\n'
  COMPREPLY=($(azimuth __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ \${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
}
complete -o default -F _azimuth azimuth`,
  zsh: `#compdef azimuth
_azimuth() {
  local -a words_found
  words_found=("\${(@f)$(azimuth __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $words_found || _files
}
compdef _azimuth azimuth`,
  fish: `complete -c azimuth -a '(azimuth __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName azimuth -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -eq '') { $words += '' }
  azimuth __complete '--' @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`,
};

const help = `Usage: azimuth completion ${Object.keys(scripts).join('|')}

Prints the script that lets a shell complete programs, flags, kinds and names:

  bash        source <(azimuth completion bash)
  zsh         source <(azimuth completion zsh)
  fish        azimuth completion fish | source
  PowerShell  azimuth completion powershell | Out-String | Invoke-Expression`;

/** `azimuth completion`: the script of a shell on standard output. */
export const completion: Program = async ([shell = '', ...others]) => {
  if (['--help', '-h'].includes(shell)) console.log(help);
  else if (others.length === 0 && Object.hasOwn(scripts, shell)) console.log(scripts[shell]);
  else throw expected('arguments of azimuth completion', `one of ${Object.keys(scripts).join(', ')}`, shell);
  return exitCodes.done;
};
