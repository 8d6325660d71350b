// The text that the toy model is counted from. One line is one document.

export const toyText = `The sun rises in the east and sets in the west.
Water boils at one hundred degrees and freezes at zero.
Question: What colour is the sky? Answer: blue
Question: What colour is grass? Answer: green
Question: Is ice cold? Answer: yes
Question: Is fire cold? Answer: no
Question: How many legs has a dog? Answer: four
Question: How many legs has a bird? Answer: two
The answer is A.
The answer is B.
The answer is C.
The answer is D.
Review: a warm and funny film. Sentiment: positive
Review: a dull and noisy film. Sentiment: negative
Review: the film opens on Friday. Sentiment: neutral
The small model reads one byte and guesses the next.
It knows which letter often follows which, and nothing else.
1 + 1 = 2
2 + 2 = 4
3 + 4 = 7
def add(a, b): return a + b
`;
