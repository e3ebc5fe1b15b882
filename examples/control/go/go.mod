module example.com/posts

go 1.21
