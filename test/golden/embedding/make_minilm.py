# Writes minilm.json: token ids by the original tokenizer, cosines by the original pooling over the same ONNX weights, and (where torch and
# transformers are installed and a folder is given) over the float32 weights.
# usage: pip install onnxruntime tokenizers numpy; python make_minilm.py MODEL.onnx TOKENIZER.json OUTPUT.json [FLOAT32_FOLDER]
import json
import sys

import numpy
import onnxruntime
from tokenizers import Tokenizer

model_file, tokenizer_file, output = sys.argv[1:4]
texts = [
    "The cat sits on the mat.",
    "A cat is sitting on a rug.",
    "Stock prices fell sharply on Monday.",
    "Paris is the capital of France.",
    "France's capital city is Paris!",
    "La capitale de la France est Paris.",
    "Größe, Zürich, naïve café: ÀÉÎÕÜ ß İstanbul",
    "東京は日本の首都です。 한국어 텍스트",
    "price: $1,234.56 (20% off) -- a_b@c.d/e\\f `code` ~x^y",
    "emoji 😀👩‍👩‍👧 and\tcontrol\u0007 chars\u200b zero​width",
    "supercalifragilisticexpialidocious " * 3,
    "x" * 130 + " tail",
    "don't can't won't it's",
    "",
    " \n\t ",
    "word " * 400,
    "ﬁne ２０２４ Ⅳ ½ ™",
    "नमस्ते दुनिया",
    "مرحبا بالعالم",
    "“quoted” – dash… «guillemets» ¿qué?",
]
pairs = [[0, 1], [0, 2], [3, 4], [3, 5], [1, 2], [6, 7], [8, 9], [10, 11], [12, 13], [3, 15], [16, 17], [18, 19]]
tokenizer = Tokenizer.from_file(tokenizer_file)
tokenizer.no_padding()
tokenizer.enable_truncation(256)
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 1
session = onnxruntime.InferenceSession(model_file, options)


def unit(vector):
    return vector / numpy.linalg.norm(vector)


def embed(ids):
    row = numpy.array([ids], dtype=numpy.int64)
    hidden = session.run(None, {"input_ids": row, "attention_mask": numpy.ones_like(row), "token_type_ids": numpy.zeros_like(row)})[0][0]
    return unit(hidden.mean(axis=0))


ids = [tokenizer.encode(text).ids for text in texts]
vectors = [embed(one) for one in ids]
result = {
    "versions": {"onnxruntime": onnxruntime.__version__},
    "texts": texts,
    "ids": ids,
    "pairs": pairs,
    "cosines": [float(vectors[left] @ vectors[right]) for left, right in pairs],
}
if len(sys.argv) > 4:
    import torch
    import transformers

    model = transformers.AutoModel.from_pretrained(sys.argv[4]).eval()
    with torch.no_grad():
        full = [unit(model(input_ids=torch.tensor([one])).last_hidden_state[0].mean(dim=0).numpy()) for one in ids]
    result["cosinesFloat32"] = [float(full[left] @ full[right]) for left, right in pairs]
json.dump(result, open(output, "w", encoding="utf-8"), ensure_ascii=False)
