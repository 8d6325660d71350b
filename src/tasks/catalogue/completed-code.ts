// How a code answer and its prompt make one program.

/**
 * An answer that defines the function replaces the prompt's stub but keeps what stands before it (imports, helpers);
 * a bare body continues the stub; a prompt in words is no part of the program.
 */
export const completedCode: string =
  "{% if ('def ' ~ entry_point) not in prompt %}{{answer}}" +
  "{% elif ('def ' ~ entry_point) in answer %}{{prompt}}\n\n{{answer}}{% else %}{{prompt}}{{answer}}{% endif %}";

/** The same for JavaScript: an answer that declares the function stands for itself. */
export const completedJavascript: string =
  "{% if ('function ' ~ entry_point) in answer or (entry_point ~ ' =') in answer %}{{answer}}{% else %}{{prompt}}{{answer}}{% endif %}";
