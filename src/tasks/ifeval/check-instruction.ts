// All IFEval instruction types by id, with those whose Python original rests on a library that is only approximated here.
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import { countCapitalWords, detectLanguage, isLower, isUpper } from './approximations.ts';
import { formatCheckers } from './check-format.ts';
import { wordCheckers } from './check-words.ts';
import { type Checker, compare, type InstructionArguments, numberArgument, textArgument } from './instruction.ts';

/** An undetectable language passes, as in the original. */
function speaks(response: string, language: string): boolean {
  const detected = detectLanguage(response);
  return detected === null || detected === language || (language.startsWith('zh') && detected === 'zh');
}

const languageCheckers: Readonly<Record<string, Checker>> = {
  'language:response_language': (response, args) => {
    const language = textArgument(args, 'language');
    return language === null ? null : speaks(response, language);
  },
  'change_case:english_capital': (response) => isUpper(response) && speaks(response.toLowerCase(), 'en'),
  'change_case:english_lowercase': (response) => isLower(response) && speaks(response, 'en'),
  'change_case:capital_word_frequency': (response, args) =>
    compare(countCapitalWords(response), numberArgument(args, 'capital_frequency'), textArgument(args, 'capital_relation')),
};

const checkers: Readonly<Record<string, Checker>> = { ...wordCheckers, ...formatCheckers, ...languageCheckers };

/** Instruction types whose verdict may differ from the Python original's (sentence splitter, tokenizer, language detector). */
export const approximateInstructions: ReadonlySet<string> = new Set([
  'length_constraints:number_sentences',
  ...Object.keys(languageCheckers),
]);

/** Ids of all instruction types. */
export const instructionIds: readonly string[] = Object.keys(checkers);

/**
 * Whether a response follows one instruction. A blank response follows none; null: an argument is missing.
 * @throws ToolError `data` for an unknown instruction id
 */
export function checkInstruction(id: string, args: InstructionArguments, prompt: string, response: string): boolean | null {
  const checker = checkers[id];
  if (checker === undefined) {
    throw new ToolError('data', `unknown IFEval instruction "${id}"`, { hint: suggestName(id, instructionIds) });
  }
  return checker(response, args, prompt);
}
