# Verdicts of the original IFEval checkers (exact types only) on fuzzed and hand-written responses.
# Usage: python scripts/golden/lm-eval-ifeval.py > test/golden/tasks/ifeval.json   (needs lm-eval with its ifeval extras)
import json
import random
import sys

output, sys.stdout = sys.stdout, sys.stderr
from lm_eval.tasks.ifeval import utils  # noqa: E402

rng = random.Random(7)
PIECES = [
    "Hello", "hello world", "The cat, sat.", "\n", "\n\n", "* item\n", "- item\n", "  * nested\n", "**bold**", "*it*", "****", "* *", "***", "\n***\n", "******", "<<Title>>", "<< >>", "<<<x>>", "[name]", "[]",
    "P.S. bye", "p. s. x", "P.P.S more", "Section 1", "SECTION 2 ", "My answer is yes.", '"quoted"', '"', "'word", "Café", "東京", "x_1", ",", "!", "?", "keyword", "Keywords", "akeyword", " ", "\t", "\u00a0", "\u2028",
    '{"a": NaN}', "```json\n", "```", "[1, 2]", "{}", "end now", "End now.", "PROMPT TEXT",
]
INSTRUCTIONS = [
    ("keywords:existence", {"keywords": ["keyword", "h.llo"]}),
    ("keywords:existence", {"keywords": ["Café"]}),
    ("keywords:frequency", {"keyword": " keyword ", "frequency": 2, "relation": "at least"}),
    ("keywords:frequency", {"keyword": "o", "frequency": 3, "relation": "less than"}),
    ("keywords:forbidden_words", {"forbidden_words": ["keyword", "cat"]}),
    ("keywords:letter_frequency", {"letter": "E", "let_frequency": 4, "let_relation": "at least"}),
    ("keywords:letter_frequency", {"letter": "o", "let_frequency": 2, "let_relation": "less than"}),
    ("length_constraints:number_words", {"num_words": 6, "relation": "at least"}),
    ("length_constraints:number_words", {"num_words": 5, "relation": "less than"}),
    ("length_constraints:number_paragraphs", {"num_paragraphs": 2}),
    ("length_constraints:nth_paragraph_first_word", {"num_paragraphs": 2, "nth_paragraph": 2, "first_word": "Hello"}),
    ("length_constraints:nth_paragraph_first_word", {"num_paragraphs": 1, "nth_paragraph": 1, "first_word": "word"}),
    ("detectable_content:number_placeholders", {"num_placeholders": 2}),
    ("detectable_content:postscript", {"postscript_marker": "P.S."}),
    ("detectable_content:postscript", {"postscript_marker": "P.P.S"}),
    ("detectable_content:postscript", {"postscript_marker": "End"}),
    ("detectable_format:number_bullet_lists", {"num_bullets": 2}),
    ("detectable_format:number_bullet_lists", {"num_bullets": 1}),
    ("detectable_format:constrained_response", {}),
    ("detectable_format:number_highlighted_sections", {"num_highlights": 2}),
    ("detectable_format:multiple_sections", {"section_spliter": "SECTION", "num_sections": 1}),
    ("detectable_format:json_format", {}),
    ("detectable_format:title", {}),
    ("combination:two_responses", {}),
    ("combination:repeat_prompt", {"prompt_to_repeat": " Prompt text"}),
    ("startend:end_checker", {"end_phrase": "End now."}),
    ("startend:quotation", {}),
    ("punctuation:no_comma", {}),
]
FIXED = ["", "   ", "\n\n\n", "hello\n\n\n\nhello", "```json\n{\"a\": Infinity}\n```", "```\n[1]```", '"x"', "a******b", "a******a", "******a******b******", "* a\n* b", "*a* **b**", "prompt text and more", 'say "end now."', "'\"Hello, x\n\nhello.", "one\n\n'\"Hello, you\"", "word. it", "hello keyword"]

responses = FIXED + ["".join(rng.choice(PIECES) for _ in range(rng.randint(1, 9))) for _ in range(160)]
cases = []
for response in responses:
    strict, loose = [], []
    for identifier, kwargs in INSTRUCTIONS:
        example = utils.InputExample(key=0, instruction_id_list=[identifier], prompt="Prompt text", kwargs=[kwargs])
        strict.append(utils.test_instruction_following_strict(example, response).follow_instruction_list[0])
        loose.append(utils.test_instruction_following_loose(example, response).follow_instruction_list[0])
    bits = lambda values: "".join("1" if value else "0" for value in values)  # noqa: E731
    cases.append([response, bits(strict), bits(loose)])
print(json.dumps({"instructions": [{"id": i, "kwargs": k} for i, k in INSTRUCTIONS], "cases": cases}, ensure_ascii=False, indent=0), file=output)
