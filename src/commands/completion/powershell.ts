/**
 * Renders a completer for PowerShell, which asks this program at each keypress of Tab: PowerShell has no quick way to look
 * words up in a table of this size. The words go as one argument in Base64, since PowerShell before 7.3 drops empty
 * arguments and loses quotes. Where nothing is offered, PowerShell completes the path of a file.
 */
export function renderPowerShell(): string {
  return `# Completion of ocr for powershell, made by: ocr completion powershell
Register-ArgumentCompleter -Native -CommandName 'ocr', 'ocr.cmd', 'ocr.ps1' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @()
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $words += $element.Value }
    else { $words += $element.Extent.Text }
  }
  $words += $wordToComplete
  $line = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes($words -join "\`n"))
  ocr completion powershell --words "=$line" 2>$null | ForEach-Object {
    $word, $description = $_ -split "\`t", 2
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
  }
}
`;
}

/** Reads the words that the script sends: Base64 of UTF-8 lines behind an equals sign, which keeps the argument from being empty. */
export function parseWords(argument: string): string[] {
  return Buffer.from(argument.replace(/^=/, ''), 'base64').toString('utf8').split('\n');
}
