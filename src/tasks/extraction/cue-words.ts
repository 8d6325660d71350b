// The words that announce, link, refuse or reject an answer, by part of speech and language. Data only: lower case, no logic.

function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.join(' ').split(/\s+/).filter(Boolean));
}

/** Nouns that announce an answer: "answer", "Antwort", "ответ". */
export const answerNouns = words(
  'answer ans answers',
  'antwort lösung loesung',
  'réponse reponse',
  'respuesta solución',
  'risposta soluzione',
  'resposta gabarito solução',
  'antwoord',
  'odpowiedź odpowiedz odpowiedzią odpowiedzia',
  'ответ ответом ответа відповідь відповіддю отговор одговор',
  'cevap cevabı cevabi cevabım yanıt yanıtı yanıtım',
  'svar svaret',
  'vastaus vastaukseni',
  'válasz valasz',
  'odpověď odpoved odpoveď',
  'răspuns răspunsul raspuns raspunsul',
  'απάντηση απαντηση',
  'jawaban jawabannya jawapan',
  'jibu',
  'उत्तर जवाब',
  'الإجابة الاجابة إجابة اجابة الجواب جواب الإجابه والجواب فالإجابة',
  'پاسخ',
  'תשובה התשובה',
  'উত্তর',
  'பதில் விடை',
);
/** The second word of a two-word noun, with its first word: Vietnamese. */
export const nounPairs: ReadonlyMap<string, string> = new Map([
  ['án', 'đáp'],
  ['lời', 'trả'],
]);
/** Nouns that announce an answer only before a colon or beside an adjective such as "correct". */
export const optionNouns = words(
  'option choice letter alternative selection pick solution result conclusion verdict response reply prediction label decision guess one',
  'auswahl option buchstabe wahl möglichkeit ergebnis',
  'choix lettre proposition alternative solution résultat',
  'opción opcion letra alternativa elección inciso resultado',
  'opzione lettera scelta alternativa risultato',
  'opção opcao letra escolha',
  'optie keuze letter resultaat',
  'opcja opcją litera wariant wybór wynik',
  'вариант вариантом буква выбор варіант',
  'seçenek seçeneği şık şıkkı seçim',
  'alternativ bokstav valg val vaihtoehto možnost varianta variantă pilihan opsi huruf',
  'विकल्प الخيار خيار الحرف حرف گزینه',
);
export const rightAdjectives = words(
  'correct right best final my true proper appropriate suitable likely chosen selected accurate',
  'richtige richtig korrekte beste endgültige',
  'bonne correcte meilleure exacte correct juste finale',
  'correcta correcto mejor final',
  'corretta corretto giusta migliore finale esatta',
  'correta correto certa melhor',
  'juiste correcte beste goede',
  'poprawna prawidłowa poprawną prawidłową właściwa poprawny najlepsza',
  'правильный верный правильная верная правильным верным правильна',
  'doğru rätt riktige riktig rigtige korrekt oikea správná corect corectă benar tepat đúng σωστή सही الصحيحة الصحيح صحیح הנכונה',
);
/** Verbs that link the noun to the answer. */
export const copulas = words(
  'is are was be would should must therefore thus hence',
  'ist lautet wäre sind',
  'est serait sera',
  'es sería seria sea será',
  'è é sarebbe sarà e',
  'zou',
  'jest to brzmi będzie',
  'является это будет є',
  'dır dir',
  'är er on je este είναι ειναι adalah ialah là ni',
  'है हैं हे هي هو هى است הוא היא',
);
/** Words that may stand between noun or verb and the answer without changing what it says. */
export const fillers = words(
  'the option choice letter answer number alternative correct right best final definitely clearly probably likely most indeed actually simply',
  'just in fact also still now obviously so my our be been a an only given here that it s i ll d re going with called labeled labelled as always',
  'text textbf textit mathbf mathrm boxed mathsf rm bf b strong em answer',
  'die der das den dem eine richtige richtig option antwort buchstabe wohl daher also somit eindeutig wahrscheinlich variante',
  'la le les l réponse lettre option donc bien celle choix proposition certainement probablement c',
  'el lo los las opción opcion letra respuesta inciso alternativa por tanto entonces probablemente claramente la',
  'il lo gli lettera opzione risposta quindi dunque probabilmente',
  'o os as a letra opção opcao alternativa resposta portanto provavelmente',
  'de het optie letter antwoord dus waarschijnlijk',
  'opcja opcją litera wariant odpowiedź odpowiedz więc zatem prawdopodobnie',
  'вариант вариантом буква под номером буквой ответ значит наверное скорее всего так',
  'seçenek seçeneği şık şıkkı',
  'alternativ bokstav vaihtoehto možnost varianta varianta pilihan huruf phương án lựa chọn câu đáp η το विकल्प الخيار خيار الحرف حرف رقم گزینه',
);
/** After a noun these open a phrase that may end in a copula: "the answer to the question is". */
export const phraseOpeners = words(
  'to for of in among from here based given according that i you we on considering between which',
  'auf zu für der von à de pour du selon a la para según en di per alla da van op voor na do pytania на к по bu bu soruya',
);
/** Option words before a letter: "option C" is a firm mention, though no cue. */
export const optionWords = words(
  'option choice letter answer alternative opt',
  'antwort möglichkeit variante buchstabe réponse lettre choix proposition opción opcion letra alternativa inciso opzione lettera risposta',
  'opção opcao resposta optie antwoord opcja odpowiedź wariant вариант ответ буква seçenek şık alternativ vaihtoehto možnost pilihan án विकल्प',
  'الخيار خيار الإجابة گزینه',
);
export const negators = words(
  'not never isn cannot can t neither nor without no wouldn couldn shouldn aren wasn won don doesn',
  'nicht kein keine weder',
  'pas ni jamais n',
  'no nunca tampoco',
  'non né',
  'não nao nem',
  'niet geen',
  'nie',
  'не ни ані',
  'değil değildir',
  'inte ikke ej nem nu ei není ne',
  'không bukan tidak नहीं न ليس ليست لا نیست לא',
);
/** Verbs and prepositions that set an option aside: "rule out B", "instead of B". */
export const rejectors = words(
  'eliminate eliminates eliminated eliminating exclude excludes excluded excluding reject rejects rejected discard discarded dismiss dismissed except unlike than excepting',
  'instead rather ruled ruling rule versus vs avoid',
  'ausschließen statt außer als',
  'éliminer exclure exclut élimine sauf',
  'descartar descarto eliminar excepto salvo',
  'escludere escludo eccetto tranne',
  'descarto excluir exceto',
  'uitsluiten behalve wykluczyć wykluczam oprócz исключить исключаем исключая кроме hariç',
);
/** Predicates that reject what stands before them: "B is wrong". */
export const wrongPredicates = words(
  'wrong incorrect false invalid impossible unlikely implausible irrelevant out eliminated excluded inaccurate mistaken untrue ruled rejected fails fail failed weak weaker worse distractor distractors trap nonsense improbable',
  'falsch unrichtig ausgeschlossen inkorrekt',
  'faux fausse fausses incorrect incorrecte incorrects exclu exclue',
  'incorrecta incorrecto incorrectas falsa falso errónea equivocada descartada',
  'sbagliata sbagliato errata errato scorretta falsa sbagliate',
  'incorreta incorreto errada errado erradas',
  'fout onjuist incorrect verkeerd',
  'błędna błędne nieprawidłowa niepoprawna fałszywa',
  'неверно неверен неправильно неправильный неверный ошибочен ошибочный исключается неверны неправильны',
  'yanlış yanlıştır hatalı fel feil forkert väärin väärä špatně nesprávná greșit sai salah गलत خطأ خاطئة خاطئ غلط',
);
/** Predicates that choose what stands before them: "B is correct". */
export const rightPredicates = words(
  'correct right best answer accurate',
  'richtig korrekt',
  'correct correcte exacte juste bonne',
  'correcta correcto',
  'corretta corretto giusta esatta',
  'correta correto certa',
  'juist correct goed',
  'poprawna prawidłowa poprawne',
  'верно верен верный правильно правильный правилен правильная верная',
  'doğru doğrudur rätt riktig rigtig oikein správně corect đúng benar सही صحيح صحيحة الصحيح الصحيحة',
);
/** Verbs of choosing, used with the speaker as subject: "I choose B". */
export const chooseVerbs = words(
  'choose chose choosing pick picked picking select selected selecting opt',
  'wähle nehme entscheide',
  'choisis choisirais',
  'elijo elegiría escojo selecciono',
  'scelgo sceglierei',
  'escolho escolheria seleciono',
  'kies',
  'wybieram',
  'выбираю выберу выбрал',
  'seçiyorum seçerim väljer velger valitsen vybírám aleg chọn memilih',
);
/** Words that need "with", "for", "on" after them to choose. */
export const goVerbs = words('go going went settle settling opting lean leaning');
/** Verbs of opinion: what they are followed by is chosen only where the clause ends there: "I think C." */
export const sayVerbs = words(
  'say think believe guess suspect',
  'denke glaube',
  'pense crois',
  'creo pienso',
  'penso credo',
  'acho',
  'denk',
  'myślę',
  'думаю считаю',
);
/** Subjects that make a verb of choosing somebody else's. */
export const otherSubjects = words(
  'you they some many people students one someone others he she users most not t never cannot might if to why which who when please should not either wrongly mistakenly',
);
/** Words that conclude: what follows directly is the outcome, unless something more explicit is said. */
export const concluders = words(
  'so thus therefore hence leaves leaving remains then',
  'also daher somit folglich donc ainsi entonces luego quindi dunque logo portanto dus więc zatem значит поэтому следовательно yani demek vậy',
);
/** Words that may follow the option letters that are also words (A, I, E, O, Y, W...) without making them one. */
export const letterFollowers = words(
  'because since as and is or but for due which was by with if not while whereas given though although it this that the seems looks would must can should',
  'weil da denn und ist car parce puisque et est porque ya pues y es perché poiché e è pois é omdat want en is ponieważ bo i jest потому так и çünkü vì',
);
/** Nouns before a letter that name a thing, not an option: "vitamin C", "point B". */
export const namingNouns = words(
  'vitamin vitamins hepatitis type types group class grade plan point points figure fig step phase part team angle line segment section appendix blood cell cells mr mrs ms dr',
  'variable set matrix node vertex event column row table chapter exhibit schedule series model generation gen factor protein influenza strain size battery',
  'person man student box room building train car city town village company product substance element planet object ball circle triangle side area region zone process item category level tier',
  'typ punkt gruppe klasse vitamine groupe point classe vitamina punto grupo clase gruppo classe punkt grupa klasa витамин точка группа класс set',
);
export const correctionOpeners = [
  'no wait',
  'no, wait',
  'wait',
  'hold on',
  'scratch that',
  'correction',
  'i mean',
  'actually',
  'on second thought',
  'sorry',
  'oops',
  'let me reconsider',
  'let me rethink',
  'let me think again',
  'let me correct',
  'reconsidering',
  'thinking again',
  'on reflection',
  'upon reflection',
  'my mistake',
  'i made a mistake',
  'no,',
  'rather',
] as const;
