// Writes contacts.jsonl and places.jsonl: short notes with their facts as JSON, and their names as entities. Own words, fixed order.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
const first = ['Ada', 'Bruno', 'Carla', 'Dmitri', 'Elif', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Kira', 'Liam', 'Mona', 'Nils', 'Olga', 'Pavel'];
const last = ['Ahlers', 'Brandt', 'Castro', 'Dogan', 'Ekberg', 'Ferrari', 'Grabner', 'Haas', 'Ivanova', 'Jensen', 'Kowalski', 'Lindqvist'];
const cities = ['Aarhus', 'Bilbao', 'Cork', 'Dresden', 'Esbjerg', 'Faro', 'Ghent', 'Haarlem', 'Izmir', 'Jena', 'Krakow', 'Leiden'];
const firms = ['Arbor Press', 'Bluefin Logistics', 'Copper Works', 'Delta Bakery', 'Elm Clinic', 'Foxglove Studio', 'Granite Labs', 'Harbour Tools'];
const at = (list, index) => list[index % list.length];

const notes = [
  (p) => `Please call ${p.name} from ${p.city} on ${p.phone}.`,
  (p) => `New contact: ${p.name}, phone ${p.phone}, lives in ${p.city}.`,
  (p) => `${p.name} moved to ${p.city}; the number is now ${p.phone}.`,
  (p) => `For the delivery in ${p.city} ask for ${p.name} (${p.phone}).`,
  (p) => `Reach ${p.name} at ${p.phone} when you are in ${p.city}.`,
  (p) => `Our guide in ${p.city} is ${p.name}, you can text ${p.phone}.`,
];
const contacts = Array.from({ length: 288 }, (_, index) => {
  const name = `${at(first, index * 7 + (index >> 4))} ${at(last, index * 5 + (index >> 3))}`;
  const person = { name, city: at(cities, index * 11 + (index >> 2)), phone: `555-${String(1000 + ((index * 37) % 9000)).padStart(4, '0')}` };
  return { text: at(notes, index + (index >> 5))(person), ...person };
});

const sentences = [
  (n) => [n.person, ' visited ', n.firm, ' in ', n.city, '.'],
  (n) => ['The office of ', n.firm, ' in ', n.city, ' is run by ', n.person, '.'],
  (n) => [n.firm, ' sent ', n.person, ' to ', n.city, ' last week.'],
  (n) => ['In ', n.city, ', ', n.person, ' opened a branch of ', n.firm, '.'],
  (n) => ['Nobody at ', n.firm, ' has heard from ', n.person, ' today.'],
  (n) => ['A letter from ', n.city, ' arrived for ', n.person, '.'],
];
const places = Array.from({ length: 288 }, (_, index) => {
  const names = {
    person: { text: `${at(first, index * 3 + (index >> 4))} ${at(last, index * 7 + (index >> 2))}`, label: 'person' },
    city: { text: at(cities, index * 5 + (index >> 3)), label: 'city' },
    firm: { text: at(firms, index * 3 + (index >> 1)), label: 'company' },
  };
  const parts = at(sentences, index + (index >> 5))(names);
  const text = parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
  return { text, entities: parts.filter((part) => typeof part !== 'string') };
});

const write = (name, rows) => writeFileSync(`${folder}${name}`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
write('contacts.jsonl', contacts);
write('places.jsonl', places);
