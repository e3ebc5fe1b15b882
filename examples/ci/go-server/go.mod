module example.test/notes

go 1.22
