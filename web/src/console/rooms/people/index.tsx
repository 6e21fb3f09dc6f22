import { Route, Routes } from 'react-router';
import { PeopleSearch } from './search.js';
import { Person } from './person.js';

export default function PeopleRoom() {
  return (
    <Routes>
      <Route index element={<PeopleSearch />} />
      <Route path=":userId/*" element={<Person />} />
    </Routes>
  );
}
