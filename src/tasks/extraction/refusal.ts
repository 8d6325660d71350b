// Does a reply decline to answer? Only plain statements at its start count.

const refusal =
  /^[\s*_"'#>-]*(?:(?:i(?:'m| am) (?:sorry|unable|not able)|sorry|i apologi[sz]e|unfortunately)[\s\S]{0,80}?\b(?:can't|cannot|can not|unable|not able|won't)\b|i (?:can't|cannot|can not|won't|will not|am unable to|'m unable to)\b|as an ai\b|es tut mir leid|je (?:suis désolé|ne peux pas)|lo siento|mi dispiace|desculpe|извините|我(?:无法|不能)|抱歉|申し訳)/i;

export function refuses(text: string): boolean {
  return refusal.test(text.slice(0, 240).replace(/[\u2018\u2019]/g, "'"));
}
