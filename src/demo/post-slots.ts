import type { Random } from './random.js';

/** @param words parted by a comma and a blank */
function from(words: string): (random: Random) => string {
  const list = words.split(', ');
  return (random) => random.pick(list);
}

/** What may stand in braces in a post. */
export const slots: Readonly<Record<string, (random: Random) => string>> = {
  n: (random) => String(random.int(3, 12)),
  many: (random) => String(random.int(13, 90)),
  years: (random) => String(random.int(21, 44)),
  km: (random) => String(random.int(5, 42)),
  pace: (random) => `${random.int(4, 6)}:${String(random.int(0, 59)).padStart(2, '0')}`,
  page: (random) => String(random.int(20, 480)),
  price: (random) => `${random.int(4, 80)} euros`,
  dish: ({ faker }) => faker.food.dish().toLowerCase(),
  ingredient: ({ faker }) => faker.food.ingredient(),
  spice: ({ faker }) => faker.food.spice(),
  vegetable: ({ faker }) => faker.food.vegetable(),
  fruit: ({ faker }) => faker.food.fruit(),
  cuisine: ({ faker }) => faker.food.ethnicCategory(),
  book: ({ faker }) => faker.book.title(),
  author: ({ faker }) => faker.book.author(),
  genre: ({ faker }) => faker.book.genre().toLowerCase(),
  song: ({ faker }) => faker.music.songName(),
  artist: ({ faker }) => faker.music.artist(),
  style: ({ faker }) => faker.music.genre().toLowerCase(),
  dog: ({ faker }) => faker.animal.dog(),
  cat: ({ faker }) => faker.animal.cat(),
  bird: ({ faker }) => faker.animal.bird().toLowerCase(),
  pet: ({ faker }) => faker.animal.petName(),
  friend: ({ faker }) => faker.person.firstName(),
  weekday: ({ faker }) => faker.date.weekday(),
  month: ({ faker }) => faker.date.month(),
  city: from(
    'Lisbon, Kyoto, Oaxaca, Tbilisi, Ghent, Porto, Hanoi, Cape Town, Montréal, Kraków, Seville, ' +
      'Valparaíso, Istanbul, Bologna, Tallinn, Melbourne, Accra, Cusco, Zagreb, Osaka, Marseille, ' +
      'Bergen, Busan, Havana, Split, Medellín, Chiang Mai, Galway, Leipzig, Palermo',
  ),
  place: from(
    'the old harbour, a tiny bakery, the night market, the botanical garden, the ferry, a rooftop bar, ' +
      'the mountain hut, the central station, a bookshop café, the fish market, the castle hill, the tram',
  ),
  language: from('TypeScript, Rust, Go, Python, Kotlin, Elixir, C, SQL, Swift, Zig, Ruby, OCaml'),
  tool: from(
    'Postgres, Redis, Kubernetes, Terraform, the linter, the build cache, git bisect, the profiler, ' +
      'the debugger, GraphQL, nginx, the message queue, the feature flag, the cron job, the load balancer',
  ),
  bug: from(
    'a race condition, an off-by-one, a timezone bug, a memory leak, a flaky test, a missing index, ' +
      'an N+1 query, a stale cache, a swallowed exception, a deadlock, a typo in a config, a retry storm',
  ),
  plant: from(
    'tomatoes, dahlias, runner beans, the fig tree, lavender, sweet peas, courgettes, the old rose, ' +
      'rhubarb, chillies, sunflowers, garlic, hellebores, the quince, kale, nasturtiums',
  ),
  pest: from('slugs, aphids, pigeons, the neighbour’s cat, vine weevils, blackfly, a very bold squirrel'),
  route: from(
    'the river path, the ridge trail, the old railway line, the park loop, the coast road, the canal, ' +
      'the forest track, the stadium steps, the harbour wall, the hill behind the school',
  ),
  weather: from('drizzle, bright sun, thick fog, a headwind, light snow, sticky heat, golden light, hail'),
  lens: from('a 35mm, a 50mm, an 85mm, an old 28mm, a pinhole, my phone, a borrowed telephoto, a macro lens'),
  film: from('Portra 400, Tri-X, HP5, Ektar, Cinestill 800T, Gold 200, a roll from 1998, Delta 3200'),
  subject: from(
    'a heron, the tram depot, market stalls, two chess players, a storm front, empty swings, ' +
      'shop windows, commuters, the lighthouse, rain on cobbles, a street violinist, the milky way, ' +
      'morning mist',
  ),
  meeting: from('stand-up, retro, planning, budget review, all-hands, kick-off, one-on-one, interview'),
  drink: from('flat white, oolong, mate, cold brew, masala chai, double espresso, ginger tea, cocoa'),
  mood: from('oddly calm, very proud, a bit lost, completely hooked, wide awake, grateful, sore, thrilled'),
};
