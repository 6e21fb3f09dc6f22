import { Route, Routes } from 'react-router';
import { Person } from './person.js';
import { PeopleSearch } from './search.js';

export default function PeopleSection() {
  return (
    <Routes>
      <Route index element={<PeopleSearch />} />
      <Route path=":userId/*" element={<Person />} />
    </Routes>
  );
}
