# Hand-written documents in the column layout of each dataset that lm-eval loads: odd white space, brackets, several scripts, repeats.
import copy

WORDS = ["river", "Zürich", "naïve  café", "东京", "O'Neil [1]", "5 €", "🙂 smile", " padded ", 'say "hi"', "x_y"]


def word(i):
    return WORDS[i % len(WORDS)]


def many(make, n, start=0):
    return [make(i) for i in range(start, start + n)]


def arc(i):
    sizes = [4, 3, 5, 4]
    n = sizes[i % 4]
    labels = (["1", "2", "3", "4", "5"] if i % 3 == 1 else ["A", "B", "C", "D", "E"])[:n]
    return {
        "id": f"doc_{i}",
        "question": f"Which of these is nearest to {word(i)}, number {i}?",
        "choices": {"text": [f"{word(i + k)} {k}" for k in range(n)], "label": labels},
        "answerKey": labels[i % n],
    }


def mmlu(subject):
    def make(i):
        return {"question": f" What is {i}+{i} in {word(i)}? \n", "subject": subject, "choices": [f"{2 * i}", f"{word(i)}", "6", "none"], "answer": i % 4}

    return make


def hellaswag(i):
    return {
        "ind": i,
        "activity_label": ["Baking cookies", "Roof shingle removal", "Personal Care and Style"][i % 3],
        "ctx_a": [f"A woman [header] stands by {word(i)}.", "[header] How to  tie a  knot [title] Take the   rope.", "ctx  a"][i % 3] + f" {i}",
        "ctx_b": ["she", "éTIENNE Walks", "", "the DOG"][i % 4],
        "ctx": "unused",
        "endings": [f" [step] ends {i} [substeps] with  two.", f"runs [title] off {word(i)}.", "stops. ", f"[a] b [c]  d {i}"],
        "source_id": f"s{i}",
        "split": "val",
        "split_type": "indomain",
        "label": str(i % 4),
    }


def winogrande(i):
    return {"sentence": f"Ana gave {word(i)} to Bea because _  was {i} years old .", "option1": "Ana", "option2": "Bea the 2nd", "answer": str(i % 2 + 1)}


def piqa(i):
    return {"goal": f"How do I open {word(i)} {i}?", "sol1": f"Pull it {i}.", "sol2": f"Push [it] {word(i)}.", "label": i % 2}


def boolq(i):
    return {"question": f"is {word(i)} number {i} real", "passage": f"{word(i)} -- A passage about {i}.\nSecond line.", "idx": i, "label": i % 2, "answer": bool(i % 2)}


def commonsense_qa(i):
    return {
        "id": f"c{i}",
        "question": f" Where would you put {word(i)} {i}? ",
        "question_concept": "put",
        "choices": {"label": list("ABCDE"), "text": [f"{word(i + k)}" for k in range(5)]},
        "answerKey": "ABCDE"[i % 5],
    }


def openbookqa(i):
    return {"id": f"o{i}", "question_stem": f"The sun {word(i)} {i}", "choices": {"text": [f"{word(i + k)} {k}" for k in range(4)], "label": list("ABCD")}, "answerKey": "ABCD"[i % 4]}


def sciq(i):
    return {
        "question": f"What is {word(i)} {i}?",
        "distractor3": f"d3 {i}",
        "distractor1": f"d1 {word(i)}",
        "distractor2": "d2",
        "correct_answer": f"right {i}",
        "support": ["", "  Leading space support.", f"Support {i}.\n"][i % 3],
    }


def siqa(i):
    return {"context": f"Kai met {word(i)} {i}.", "question": "What will Kai do next?", "answerA": f"leave {i}", "answerB": f"stay {word(i)}", "answerC": "sleep", "label": str(i % 3 + 1)}


def sst2(i):
    return {"sentence": f"a {word(i)} film {i} ", "label": i % 2, "idx": i}


def pair(i):
    return {"sentence1": f"First {word(i)} {i}.", "sentence2": f"Second {word(i + 1)}.", "label": i % 2, "idx": i}


def cb(i):
    return {"premise": f"I think {word(i)} {i}.", "hypothesis": f"{word(i)} is so", "idx": i, "label": i % 3}


def copa(i):
    return {"premise": [f"The {word(i)} broke {i}. ", f"É {i}!"][i % 2], "choice1": f"It fell {i}.", "choice2": "Ärger followed.", "question": ["cause", "effect"][i % 2], "idx": i, "label": i % 2}


def truthful_mc(i):
    n = 3 + i % 2
    return {
        "question": f"Is {word(i)} {i} true?",
        "mc1_targets": {"choices": [f"Answer {k} {word(i)}" for k in range(n)], "labels": [1] + [0] * (n - 1)},
        "mc2_targets": {"choices": [f"Claim {k} {word(i)}" for k in range(n + 1)], "labels": [1, 1] + [0] * (n - 1)},
    }


def truthful_gen(i):
    return {
        "type": "x",
        "category": "y",
        "question": f" Is {word(i)} {i} true? ",
        "best_answer": "Yes",
        "correct_answers": ["Yes", " It is. ", "", "I have no comment."][: 2 + i % 3],
        "incorrect_answers": ["No", "Never."],
        "source": "s",
    }


def gsm8k(i):
    return {"question": f"{word(i)} has {i} apples and buys {i}. How many?", "answer": f"{i}+{i}=<<{i}+{i}={2 * i}>>{2 * i}\n#### {2 * i:,}"}


def math500(i):
    return {"problem": f"Compute ${i}+{i}$ for {word(i)}.", "solution": f"It is $\\boxed{{{2 * i}}}$.", "answer": f"{2 * i}", "subject": "Algebra", "level": 1, "unique_id": f"u{i}"}


def mgsm(language, question_word):
    def make(i):
        worked = i % 2 == 0
        return {
            "language": language,
            "question": f"{question_word if worked else ''}{word(i)} {i}?",
            "answer": f"Step: {i}" if worked else None,
            "answer_number": i * 1000,
            "equation_solution": None,
        }

    return make


def triviaqa(i):
    return {
        "question": f"Who wrote {word(i)} {i}",
        "question_id": f"q{i}",
        "question_source": "s",
        "answer": {"aliases": [f"{word(i)}", f"It's {i}"], "normalized_aliases": ["x"], "normalized_value": "x", "type": "t", "value": "v"},
    }


def nq_open(i):
    return {"question": f"who is {word(i)} {i}", "answer": [f"A {i}", word(i)]}


def drop(i):
    return {
        "section_id": f"s{i}",
        "query_id": f"q{i}",
        "passage": f" Passage {word(i)} {i}.",
        "question": f"How many {word(i)}?",
        "answer": {
            "number": str(i) if i % 3 == 0 else "",
            "date": {"day": "1", "month": "May", "year": "1990"},
            "spans": [f"a {i}", "b"] if i % 3 == 1 else [],
            "worker_id": "w",
            "hit_id": "h",
        },
        "validated_answers": {"number": [str(i)], "date": [{"day": "", "month": "", "year": ""}], "spans": [[]], "worker_id": [""], "hit_id": [""]},
    }


def coqa(i):
    n = 1 + i % 3
    return {
        "id": f"k{i}",
        "source": "s",
        "story": f"Story {word(i)} {i}.",
        "questions": {"input_text": [f"Q{k} {word(i)}?" for k in range(n)], "turn_id": list(range(n))},
        "answers": {"input_text": [f"A{k} {i}" for k in range(n)], "span_start": [0] * n, "span_end": [1] * n, "span_text": ["x"] * n, "turn_id": list(range(n))},
        "additional_answers": {"0": {"input_text": [f"alt{k}" for k in range(n)]}, "1": {"input_text": [f"a{k} {i}" for k in range(n)]}},
    }


def lambada(i):
    return {"text": [f"one  two {word(i)} {i} last{i}", f'"Go," she said to {word(i)}\n\nBob', "word"][i % 3]}


def wikitext(i):
    return {
        "page": [
            ' = Title = \n\n The " quick " fox \'s ( 1 @,@ 000 ) tail @-@ end [ x ] ran ; 3 @.@ 5 km : N dogs \' hats \' ! \n = = Sub = = \n { a } 20 ° C , ok ? \n',
            " \n Plain text .\n",
            "No edges , here",
        ][i % 3]
    }


def humaneval(i):
    return {
        "task_id": f"T/{i}",
        "prompt": f'from typing import List\n\n\ndef f{i}(x: int) -> int:\n    """ Adds {i}.\n    >>> f{i}(1)\n    """\n',
        "entry_point": f"f{i}",
        "canonical_solution": f"    return x + {i}\n",
        "test": f"\n\ndef check(candidate):\n    assert candidate(1) == {1 + i}\n",
    }


def mbpp(i):
    return {
        "task_id": 11 + i,
        "text": f"Write a function to add {i} to {word(i)}.",
        "code": f"def g{i}(x):\r\n  return x + {i}",
        "test_list": [f"assert g{i}({k}) == {k + i}" for k in range(3)],
        "test_setup_code": "",
        "challenge_test_list": [],
    }


def bbh(subtask):
    def make(i):
        listed = subtask == "snarks"
        return {
            "subtask": subtask,
            "input": f"not ( {word(i)} ) {i} is" + ("\nOptions:\n(A) one\n(B) two" if listed else ""),
            "target": "(A)" if listed else "False",
        }

    return make


def ifeval(i):
    return {"key": i, "prompt": f" Write {word(i)} without commas. {i}\n", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{"n": None}]}


def mmlu_pro(category):
    def make(i):
        n = 3 + i % 8
        return {
            "question_id": i,
            "question": f"What about {word(i)} {i}?",
            "options": [f" {word(i + k)} " for k in range(n)],
            "answer": "ABCDEFGHIJ"[i % n],
            "answer_index": i % n,
            "cot_content": f"A: Let's think step by step. It is {i}. The answer is ({'ABCDEFGHIJ'[i % n]}).",
            "category": category,
            "src": "s",
        }

    return make


def cnn(i):
    return {"article": f"(CNN) {word(i)} {i}.\nMore text.", "highlights": f"{word(i)} .\nSecond .", "id": f"n{i}"}


def splits(make, evaluated, pool=None, evaluated_count=4, pool_count=7, repeat=False):
    result = {evaluated: many(make, evaluated_count)}
    if pool is not None:
        rows = many(make, pool_count, 100)
        if repeat:
            # The document under test also stands in the pool.
            rows[2] = copy.deepcopy(result[evaluated][1])
            rows[4] = copy.deepcopy(result[evaluated][2])
        result[pool] = rows
    return result


# ours: task name here; theirs: task name there; which splits; shots to try.
TASKS = [
    ("arc-easy", "arc_easy", splits(arc, "test", "train") | {"validation": many(arc, 2, 50)}, [0, 2, 5]),
    ("arc-challenge", "arc_challenge", splits(arc, "test", "train", pool_count=30) | {"validation": many(arc, 2, 50)}, [0, 25]),
    ("mmlu:anatomy", "mmlu_anatomy", splits(mmlu("anatomy"), "test", "dev"), [0, 2, 5]),
    ("mmlu:high_school_us_history", "mmlu_high_school_us_history", splits(mmlu("high_school_us_history"), "test", "dev"), [0, 5]),
    ("hellaswag", "hellaswag", splits(hellaswag, "validation", "train", evaluated_count=6, repeat=True), [0, 2]),
    ("winogrande", "winogrande", splits(winogrande, "validation", "train", repeat=True), [0, 2, 5]),
    ("piqa", "piqa", splits(piqa, "validation", "train", repeat=True), [0, 2]),
    ("boolq", "boolq", splits(boolq, "validation", "train", repeat=True), [0, 2]),
    ("commonsense-qa", "commonsense_qa", splits(commonsense_qa, "validation", "train"), [0, 2]),
    ("openbookqa", "openbookqa", splits(openbookqa, "test", "train") | {"validation": many(openbookqa, 2, 50)}, [0, 2]),
    ("sciq", "sciq", splits(sciq, "test", "train") | {"validation": many(sciq, 2, 50)}, [0, 2]),
    ("social-iqa", "social_iqa", splits(siqa, "validation", "train"), [0, 2]),
    ("sst2", "sst2", splits(sst2, "validation", "train"), [0, 2]),
    ("rte", "rte", splits(pair, "validation", "train"), [0, 2]),
    ("mrpc", "mrpc", splits(pair, "validation", "train"), [0, 2]),
    ("cb", "cb", splits(cb, "validation", "train"), [0, 2]),
    ("copa", "copa", splits(copa, "validation", "train"), [0, 2]),
    ("truthfulqa-mc1", "truthfulqa_mc1", splits(truthful_mc, "validation"), [0]),
    ("truthfulqa-mc2", "truthfulqa_mc2", splits(truthful_mc, "validation"), [0]),
    ("truthfulqa-gen", "truthfulqa_gen", splits(truthful_gen, "validation"), [0]),
    ("gsm8k", "gsm8k", splits(gsm8k, "test", "train", pool_count=40), [0, 5, 8]),
    ("math-500", "minerva_math500", splits(math500, "test"), [0, 4]),
    ("mgsm:en", "mgsm_direct_en", splits(mgsm("en", "Question: "), "test", "train"), [0, 2]),
    ("mgsm:de", "mgsm_direct_de", splits(mgsm("de", "Frage: "), "test", "train"), [0, 2]),
    ("mgsm:fr", "mgsm_direct_fr", splits(mgsm("fr", "Question : "), "test", "train"), [0, 2]),
    ("mgsm:ja", "mgsm_direct_ja", splits(mgsm("ja", "問題："), "test", "train"), [0, 2]),
    ("trivia-qa", "triviaqa", splits(triviaqa, "validation", "train"), [0, 2]),
    ("nq-open", "nq_open", splits(nq_open, "validation", "train"), [0, 2]),
    ("drop", "drop", splits(drop, "validation", "train"), [0, 2]),
    ("coqa", "coqa", splits(coqa, "validation", "train"), [0, 2]),
    ("lambada", "lambada_openai", splits(lambada, "test"), [0]),
    ("wikitext-2", "wikitext", splits(wikitext, "test", "train") | {"validation": many(wikitext, 1)}, [0]),
    ("humaneval", "humaneval", splits(humaneval, "test"), [0]),
    ("mbpp", "mbpp", splits(mbpp, "test"), [0, 3]),
    ("bbh:boolean_expressions", "bbh_zeroshot_boolean_expressions", splits(bbh("boolean_expressions"), "test"), [0]),
    ("bbh:ruin_names", "bbh_zeroshot_ruin_names", splits(bbh("ruin_names"), "test"), [0]),
    ("bbh:snarks", "bbh_zeroshot_snarks", splits(bbh("snarks"), "test"), [0]),
    ("ifeval", "ifeval", splits(ifeval, "train"), [0]),
    ("mmlu-pro:math", "mmlu_pro_math", splits(mmlu_pro("math"), "test", "validation"), [0, 5]),
    ("mmlu-pro:computer science", "mmlu_pro_computer_science", splits(mmlu_pro("computer science"), "test", "validation"), [0, 5]),
    ("cnn-dailymail", "cnn_dailymail_abisee", splits(cnn, "test"), [0]),
]
