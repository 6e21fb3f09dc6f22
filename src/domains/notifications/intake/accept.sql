-- name: accept
SELECT accept_notification($1) AS outcome;
