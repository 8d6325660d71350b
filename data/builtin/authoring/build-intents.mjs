// Writes data/builtin/intents.jsonl: requests to a home assistant in 8 classes, from templates and hand-written lines.
// Near duplicates (shingle similarity of 0.65 or more) are left out, so that random splits do not leak. Run: node data/builtin/authoring/build-intents.mjs
import { writeFileSync } from 'node:fs';
import { jaccard, shinglesOf } from '../../../src/datasets/near-duplicates.ts';
import { normaliseText } from '../../../src/datasets/normalise-text.ts';
import { createRandom, shuffled } from '../../../src/stats/random.ts';

const perClass = 64;
const nearThreshold = 0.65;
const words = {
  time: ['six', 'half past six', 'quarter to seven', '7:15', 'eight sharp', '5 am', 'noon', 'ten thirty', 'midnight', '4:45 in the afternoon'],
  day: ['tomorrow', 'on Monday', 'this Friday', 'on Sunday', 'next Wednesday', 'on the 14th', 'the day after tomorrow', 'on Saturday'],
  city: ['Lisbon', 'Oslo', 'Madrid', 'Chicago', 'Zurich', 'Kyoto', 'Hamburg', 'Porto', 'Nairobi', 'Dublin'],
  artist: ['Nina Simone', 'the Beatles', 'Mozart', 'some jazz', 'Adele', 'heavy metal', 'Brazilian guitar', 'my running list', 'eighties pop', 'a string quartet', 'film scores'],
  room: ['kitchen', 'bedroom', 'hallway', 'garage', 'living room', 'bathroom', 'porch', 'attic', 'study', "children's room"],
  food: ['oat milk', 'two lemons', 'olive oil', 'washing powder', 'a dozen eggs', 'brown rice', 'cat food', 'tomatoes', 'batteries', 'dark chocolate', 'paper towels', 'fresh basil'],
  person: ['Anna', 'my brother', 'Mr Lopez', 'grandma', 'the plumber', 'Kim', 'my boss', 'the neighbours', 'Yusuf', 'Aunt Clara'],
  event: ['dentist appointment', 'team lunch', 'piano lesson', 'parents evening', 'flight to Rome', 'yoga class', 'haircut', 'project review', 'birthday dinner', 'vet visit'],
  place: ['the airport', 'the nearest pharmacy', 'Central Station', 'the swimming pool', 'my office', 'a petrol station', 'the stadium', 'the old harbour', 'the university clinic', 'a quiet cafe'],
  news: ['I am running late', 'dinner is ready', 'the parcel arrived', 'we won the match', 'I found the keys', 'the meeting is off', 'happy birthday', 'the train is stuck', 'please bring a jacket', 'thanks for yesterday'],
};

const templates = {
  alarm: ['wake me up at {time} {day}', 'set an alarm for {time}', 'I need to get up at {time}, make sure I do', 'cancel my {time} alarm', 'could you ring the bell at {time} {day}', 'snooze for ten more minutes', 'delete every alarm {day}', 'alarm {day} {time} please', 'move the wake-up call from {time} to {time}', 'do I have any alarms {day}?', "don't let me sleep past {time}", 'make the alarm louder {day}', 'I want to be awake by {time} {day}', 'turn off that beeping', 'get me out of bed at {time}', 'repeat the morning alarm {day}', 'use birdsong as my wake-up sound {day}', 'is my alarm on for {time}?', 'change tomorrow\'s alarm so it rings at {time}', 'stop ringing'],
  weather: ['will it rain in {city} {day}?', 'how warm is it in {city}', 'do I need an umbrella {day}', 'weather forecast for {city} {day}', 'is it going to snow {day}?', "what's the temperature outside", 'how windy will {city} be {day}', 'when does the sun set in {city}', 'is there a storm coming to {city}?', 'tell me how humid it is', 'should I wear a coat {day}', 'any frost expected {day} around {time}?', 'will the fog clear before {time}', 'what is the sky like over {city} right now', 'compare the weather here and in {city}', 'is {day} a good day for a barbecue outdoors', 'how cold does it get at night in {city}', 'chance of thunder {day}', 'give me the seven-day outlook for {city}', 'how much sunshine can {city} expect {day}'],
  music: ['play {artist}', 'put on {artist} in the {room}', 'skip this song', 'turn the volume down a little', 'I feel like listening to {artist}', 'who sings this track?', 'shuffle {artist} please', 'pause the music', 'queue {artist} after this one', 'play something calm while I cook', 'louder, I love {artist}', 'repeat the last song', 'stop playing {artist}', 'find me a live concert by {artist}', 'start {artist} and fade out at {time}', 'next track', 'what album is this from', 'add this tune to my favourites', 'resume {artist} where I left off', 'can we hear {artist} through the {room} speakers'],
  lights: ['turn on the {room} lights', 'switch off the lamp in the {room}', 'dim the {room} to thirty percent', 'it is too dark in the {room}', 'make the {room} light blue', 'lights out everywhere', 'brighten the {room} a bit', 'why is the {room} still lit? turn it off', 'set warm white in the {room}', 'I am leaving, kill all lights', 'keep the {room} lit until {time}', 'flash the {room} lamps twice', 'give me some light in the {room}', 'reading light on', 'turn the {room} lamps off at {time} {day}', 'can you make the {room} less bright', 'candle mode in the {room} please', 'is the {room} light on?', 'light up the stairs', 'red light for the {room}, full brightness'],
  shopping: ['add {food} to the shopping list', 'we are out of {food}', 'put {food} and {food} on the list', 'order {food} again', 'what is on my shopping list', 'remove {food} from the list', 'remind me to buy {food} at the market', 'buy {food} before {day}', 'how much did I pay for {food} last time', 'I need {food} for the recipe', 'clear the grocery list', 'do we still need {food}?', 'reorder my usual {food}', 'get me a good price on {food}', 'three packs of {food} go in the basket', 'swap {food} for {food} in my order', 'when will my order with {food} be delivered?', 'is {food} on offer {day}', 'check out the basket', 'write down {food}, we used the last of it'],
  calendar: ['put a {event} in my calendar {day} at {time}', 'when is my {event}', 'what do I have planned {day}?', 'move the {event} to {day}', 'cancel the {event} {day}', 'am I free {day} at {time}', 'invite {person} to the {event}', 'schedule a {event} with {person}', 'how long does the {event} last', 'show my appointments {day}', 'is there anything on {day} after {time}', 'book an hour for the {event}', 'postpone the {event} by a week', 'who is coming to the {event}?', 'block {day} for a {event}', 'does the {event} clash with the {event}?', 'read me the agenda for {day}', 'the {event} now starts at {time}, update it', 'find a slot for a {event} before {day}', 'rename the {event} entry to lunch with {person}'],
  message: ['tell {person} {news}', 'send a message to {person} saying {news}', 'call {person}', 'read my new messages', 'text {person} that {news}', 'reply to {person}: {news}', 'did {person} write back?', 'ring {person} on speaker', 'email {person} about the {event}', 'let {person} know {news}', 'forward the last mail to {person}', 'who called me {day}?', 'start a video call with {person}', 'leave a voice message for {person}: {news}', 'write to {person} and ask about the {event}', 'dictate a note to {person}, {news}', 'mark all messages as read', 'any missed calls from {person}?', 'dial the number of {person}', 'answer {person} with a thumbs up'],
  navigation: ['how do I get to {place}', 'take me to {place}', 'how long is the drive to {place}?', 'is there traffic on the way to {place}', 'find a route to {place} without tolls', 'which bus goes to {place}', 'walk me to {place}', 'how far is {place} from here', 'where did I park the car', 'show {place} on the map', 'fastest way to {place} by bike', 'when must I leave to reach {place} by {time}', 'avoid the motorway to {place}', 'is {place} open {day}?', 'directions from {place} to {place}', 'share my route to {place} with {person}', 'next turn please', 'stop at {place} on our way to {place}', 'can I park near {place}', 'reroute around the jam before {place}'],
};

const random = createRandom(2026, 'intents');
const pick = (list) => list[random.below(list.length)];
const fill = (template) => {
  const used = new Set();
  return template.replace(/\{(\w+)\}/g, (_, slot) => {
    let word = pick(words[slot]);
    while (used.has(word)) word = pick(words[slot]);
    used.add(word);
    return word;
  });
};

const taken = [];
const isNear = (text) => {
  const shingles = shinglesOf(normaliseText(text));
  if (taken.some((other) => jaccard(other, shingles) >= nearThreshold)) return true;
  taken.push(shingles);
  return false;
};

const rows = [];
for (const [label, list] of Object.entries(templates)) {
  const chosen = [];
  // Every template in turn, so that no phrasing dominates its class.
  for (let round = 0; chosen.length < perClass && round < 400; round++) {
    for (const template of list) {
      const text = fill(template);
      if (chosen.length < perClass && !isNear(text)) chosen.push({ text, label });
    }
  }
  if (chosen.length < perClass) throw new Error(`${label}: only ${chosen.length} different lines; write more templates`);
  rows.push(...chosen);
}
const lines = shuffled(rows, createRandom(7, 'intent-order')).map((row) => JSON.stringify(row));
writeFileSync(new URL('../intents.jsonl', import.meta.url), `${lines.join('\n')}\n`);
console.log(`${lines.length} rows in ${Object.keys(templates).length} classes`);
